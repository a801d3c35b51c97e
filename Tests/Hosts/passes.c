// Calls opcodes of a plugin without Csound, with arguments made of noise, in the engine of the pages that packages
// have. Compiled for Linux, where it opens the plugin itself, and for the web, where passes.mjs does. For the same calls
// it must print the same numbers.
#include "../../Sources/Build/PluginBuilding/Packages/Listening/engine.c"

enum { ksmps = 32, cycles = 200 };

static uint64_t noise_state;
static double noise(void) {
  noise_state = noise_state * 6364136223846793005u + 1442695040888963407u;
  return (double)((int64_t)noise_state >> 11) * 0x1p-52;
}

// Plays one call, such as "MOOGLADDER a akk 0~1 1000~500 0.5": the opcode, its types, and for each input a number or a
// number and the amount of noise added. Prints the outputs.
int play(const char *call, void (*print)(const double *, int)) {
  double base[most_arguments], depth[most_arguments];
  char name[64], outputs[64], inputs[64];
  int used = 0;
  if (sscanf(call, "%63s %63s %63s%n", name, outputs, inputs, &used) != 3) return 1;
  if (outputs[0] == '-') outputs[0] = '\0';
  char output_rates[64] = "", input_rates[64] = "";
  for (int index = 0; outputs[index] != '\0'; index++) output_rates[index] = rate_of(outputs[index]);
  for (int index = 0; inputs[index] != '\0'; index++) input_rates[index] = rate_of(inputs[index]);
  struct note *note = new_note(name, outputs, inputs, output_rates, input_rates, 48000, ksmps);
  if (note == NULL) return fprintf(stderr, "no overload %s\n", call), 1;
  const char *rest = call + used;
  for (int index = note->output_count; index < note->count; index++) {
    int length = 0;
    base[index] = depth[index] = 0;
    if (sscanf(rest, " %lf%n", &base[index], &length) != 1) return fprintf(stderr, "too few inputs: %s\n", call), 1;
    rest += length;
    if (*rest == '~' && sscanf(rest, "~%lf%n", &depth[index], &length) == 1) rest += length;
    note->values[index][0] = base[index];
  }
  noise_state = 7;
  if (begin_note(note) != 0) return 1;
  for (int cycle = 0; cycle < cycles && note->entry->perf != NULL; cycle++) {
    for (int index = note->output_count; index < note->count; index++)
      for (int frame = 0; frame < (note->rates[index] == 'a' ? ksmps : note->rates[index] != 'i'); frame++)
        note->values[index][frame] = base[index] + depth[index] * noise();
    if (perform_note(note) != 0) return 1;
    for (int index = 0; index < note->output_count; index++)
      print(note->values[index], note->rates[index] == 'a' ? ksmps : 1);
  }
  if (note->entry->perf == NULL)
    for (int index = 0; index < note->output_count; index++) print(note->values[index], 1);
  end_note(note);
  return 0;
}

#ifdef __wasm__
extern void print_numbers(const double *numbers, int count)
    __attribute__((import_module("host"), import_name("print")));
int play_call(const char *call) { return play(call, print_numbers); }
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
