// Calls the passes of a plugin's opcodes as Csound 7 would, without Csound: an engine that stands in, one note,
// arguments made of noise. Compiled for Linux, where it opens the plugin itself, and for the web, where passes.mjs
// does. For the same calls it must print the same numbers.
#include "../../Sources/Kit/CCsound/CCsound.h"
#include "../../Sources/Kit/CCsound/StandIn.h"

enum { maximum = 1000, ksmps = 32, cycles = 200 };

static struct {
  char name[64], outputs[64], inputs[64];
  size_t bytes;
  SUBR init, perf, deinit;
} entries[maximum];
static int entry_count;

static int append(CSOUND *csound, const char *name, size_t bytes, int flags, const char *outputs, const char *inputs,
                  SUBR init, SUBR perf, SUBR deinit) {
  (void)csound, (void)flags;
  if (entry_count == maximum) abort();
  snprintf(entries[entry_count].name, 64, "%s", name);
  snprintf(entries[entry_count].outputs, 64, "%s", outputs);
  snprintf(entries[entry_count].inputs, 64, "%s", inputs);
  entries[entry_count].bytes = bytes;
  entries[entry_count].init = init;
  entries[entry_count].perf = perf;
  entries[entry_count++].deinit = deinit;
  return 0;
}

static int failed(CSOUND *csound, const char *format, ...) {
  va_list values;
  (void)csound;
  va_start(values, format);
  vfprintf(stderr, format, values);
  va_end(values);
  return -1;
}

static int failed_in(CSOUND *csound, OPDS *block, const char *format, ...) {
  va_list values;
  (void)csound, (void)block;
  va_start(values, format);
  vfprintf(stderr, format, values);
  va_end(values);
  return -1;
}

// The engine with which plugins register, for passes.mjs too.
CSOUND *new_engine(void) {
  static struct { char block[1000]; } block;
  struct ccs_stand_in *engine = ccs_begin_stand_in(&block, "", 48000, ksmps);
  engine->engine.AppendOpcode = append;
  engine->engine.ErrorMsg = ccs_stand_in_say;
  return &engine->engine;
}

// An argument as Csound has it: its type before it.
struct argument {
  const CS_TYPE *type;
  char rest[CS_VAR_TYPE_OFFSET - sizeof(CS_TYPE *)];
  MYFLT values[ksmps];
};

static uint64_t noise_state;
static double noise(void) {
  noise_state = noise_state * 6364136223846793005u + 1442695040888963407u;
  return (double)((int64_t)noise_state >> 11) * 0x1p-52;
}

// Plays one call, such as "MOOGLADDER a akk 0~1 1000~500 0.5": the opcode, its types, and for each input a number or a
// number and the amount of noise added. Prints the outputs.
int play(const char *call, void (*print)(const double *, int)) {
  static char type_names[] = "a\0k\0i";
  static CS_TYPE types[3];
  struct argument *arguments[64];
  double base[64], depth[64];
  char name[64], outputs[64], inputs[64];
  int used = 0, count = 0, found = 0;
  if (sscanf(call, "%63s %63s %63s%n", name, outputs, inputs, &used) != 3) return 1;
  if (outputs[0] == '-') outputs[0] = '\0';
  while (found < entry_count &&
         (strcmp(entries[found].name, name) != 0 || strcmp(entries[found].outputs, outputs) != 0 ||
          strcmp(entries[found].inputs, inputs) != 0))
    found++;
  if (found == entry_count) return fprintf(stderr, "no overload %s\n", call), 1;
  char *letters = strcat(strcpy(calloc(1, 200), outputs), inputs);
  int output_count = (int)strlen(outputs);
  char *block = calloc(1, entries[found].bytes);
  struct ccs_stand_in *engine = ccs_begin_stand_in(block, name, 48000, ksmps);
  engine->engine.InitError = failed;
  engine->engine.PerfError = failed_in;
  engine->entry.dsblksiz = entries[found].bytes;
  engine->text.t.inArgCount = (uint16_t)strlen(inputs);
  engine->text.t.outArgCount = (uint16_t)output_count;
  const char *rest = call + used;
  for (; letters[count] != '\0'; count++) {
    char kind = letters[count] == 'a' ? 'a' : strchr("kxOPJV", letters[count]) != NULL ? 'k' : 'i';
    int place = kind == 'a' ? 0 : kind == 'k' ? 1 : 2, length = 0;
    types[place].varTypeName = type_names + 2 * place;
    arguments[count] = calloc(1, sizeof(struct argument));
    arguments[count]->type = &types[place];
    ((MYFLT **)(block + sizeof(OPDS)))[count] = arguments[count]->values;
    base[count] = depth[count] = 0;
    if (count < output_count) continue;
    if (sscanf(rest, " %lf%n", &base[count], &length) != 1) return fprintf(stderr, "too few inputs: %s\n", call), 1;
    rest += length;
    if (*rest == '~' && sscanf(rest, "~%lf%n", &depth[count], &length) == 1) rest += length;
    arguments[count]->values[0] = base[count];
  }
  noise_state = 7;
  if (entries[found].init != NULL && entries[found].init(&engine->engine, block) != 0) return 1;
  for (int cycle = 0; cycle < cycles && entries[found].perf != NULL; cycle++) {
    for (int index = output_count; index < count; index++)
      for (int frame = 0; frame < (letters[index] == 'a' ? ksmps : letters[index] != 'i'); frame++)
        arguments[index]->values[frame] = base[index] + depth[index] * noise();
    engine->note.kcounter++;
    if (entries[found].perf(&engine->engine, block) != 0) return 1;
    for (int index = 0; index < output_count; index++)
      print(arguments[index]->values, letters[index] == 'a' ? ksmps : 1);
  }
  if (entries[found].perf == NULL)
    for (int index = 0; index < output_count; index++) print(arguments[index]->values, 1);
  if (entries[found].deinit != NULL) ((OPDS *)block)->deinit(&engine->engine, block);
  return 0;
}

#ifdef __wasm__
extern void print_numbers(const double *numbers, int count)
    __attribute__((import_module("host"), import_name("print")));
int play_call(const char *call) { return play(call, print_numbers); }
char *new_bytes(int count) { return calloc(1, (size_t)count); }
void delete_bytes(char *bytes) { free(bytes); }
int main(void) { return 0; }
#else
static void print(const double *numbers, int count) { fwrite(numbers, sizeof *numbers, (size_t)count, stdout); }

int main(int count, char **words) {
  void *library = count > 1 ? dlopen(words[1], RTLD_NOW) : NULL;
  int64_t (*start)(CSOUND *, OENTRY **) =
      library != NULL ? (int64_t (*)(CSOUND *, OENTRY **))dlsym(library, "csound_opcode_init") : NULL;
  OENTRY *none = NULL;
  if (start == NULL) return fprintf(stderr, "%s\n", dlerror()), 2;
  start(new_engine(), &none);
  for (int index = 2; index < count; index++)
    if (play(words[index], print) != 0) return fprintf(stderr, "fails: %s\n", words[index]), 1;
  return 0;
}
#endif
