// Calls the passes of a plugin's opcodes as Csound 7 would, without Csound: an engine that stands in, notes with one
// opcode, their arguments, function tables. In a web page and in Node, loader.mjs gives it the plugin.
#include "../../../../Kit/CCsound/CCsound.h"
#include "../../../../Kit/CCsound/StandIn.h"

enum { most_entries = 2000, most_arguments = 64, most_tables = 64 };

// ---- What the plugin has registered

static struct entry {
  char name[64], outputs[64], inputs[64];
  size_t bytes;
  SUBR init, perf, deinit;
} entries[most_entries];
static int entry_count;

static int append(CSOUND *csound, const char *name, size_t bytes, int flags, const char *outputs, const char *inputs,
                  SUBR init, SUBR perf, SUBR deinit) {
  (void)csound, (void)flags;
  if (entry_count == most_entries) abort();
  struct entry *entry = &entries[entry_count++];
  snprintf(entry->name, sizeof entry->name, "%s", name);
  snprintf(entry->outputs, sizeof entry->outputs, "%s", outputs);
  snprintf(entry->inputs, sizeof entry->inputs, "%s", inputs);
  entry->bytes = bytes;
  entry->init = init;
  entry->perf = perf;
  entry->deinit = deinit;
  return 0;
}

// The engine with which a plugin registers.
CSOUND *new_engine(void) {
  static struct { char block[1000]; } block;
  struct ccs_stand_in *engine = ccs_begin_stand_in(&block, "", 48000, 1);
  engine->engine.AppendOpcode = append;
  engine->engine.ErrorMsg = ccs_stand_in_say;
  return &engine->engine;
}

// ---- Function tables

static FUNC *tables[most_tables];
static int table_count;

// Adds a table; returns its place for the elements and the guard point.
MYFLT *new_table(int number, int length) {
  if (table_count == most_tables) abort();
  FUNC *table = (FUNC *)calloc(1, sizeof(FUNC));
  table->fno = number;
  table->flen = (uint32_t)length;
  table->lenmask = (length & (length - 1)) == 0 ? length - 1 : 0;
  table->nchanls = 1;
  table->flenfrms = length;
  table->ftable = (MYFLT *)calloc((size_t)length + 1, sizeof(MYFLT));
  tables[table_count++] = table;
  return table->ftable;
}

static FUNC *numbered(int number) {
  for (int index = 0; index < table_count; index++)
    if (tables[index]->fno == number) return tables[index];
  return NULL;
}

static FUNC *find_table(CSOUND *csound, MYFLT *number) {
  (void)csound;
  return numbered((int)*number);
}

static int find_arguments(CSOUND *csound, MYFLT **arguments, int number) {
  static MYFLT none[1];
  (void)csound;
  *arguments = none;
  return numbered(number) != NULL ? 0 : -1;
}

// ---- Memory that notes share under a name

static struct shared {
  struct shared *next;
  void *memory;
  char name[];
} *all_shared;

static void *find_shared(CSOUND *csound, const char *name) {
  (void)csound;
  for (struct shared *one = all_shared; one != NULL; one = one->next)
    if (strcmp(one->name, name) == 0) return one->memory;
  return NULL;
}

static int make_shared(CSOUND *csound, const char *name, size_t bytes) {
  if (find_shared(csound, name) != NULL) return -1;
  struct shared *made = (struct shared *)calloc(1, sizeof(struct shared) + strlen(name) + 1);
  strcpy(made->name, name);
  made->memory = calloc(1, bytes);
  made->next = all_shared;
  all_shared = made;
  return 0;
}

// ---- Notes

// The seed of all noise, the same each time that the page is opened.
static int seed(CSOUND *csound, int which) {
  (void)csound, (void)which;
  return 1;
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

// An argument as Csound has it: its type before it.
struct argument {
  const CS_TYPE *type;
  char rest[CS_VAR_TYPE_OFFSET - sizeof(CS_TYPE *)];
  MYFLT values[];
};

struct note {
  struct entry *entry;
  struct ccs_stand_in *engine;
  char *block;
  int output_count, count;
  // 'a', 'k' or 'i' for each, outputs first.
  char rates[most_arguments];
  MYFLT *values[most_arguments];
};

// The rate of an argument of a type; 0 for one that is no number and no signal, or for any number of arguments.
char rate_of(char letter) {
  if (letter == 'a') return 'a';
  if (letter != 0 && strchr("kxOPJV", letter) != NULL) return 'k';
  return letter != 0 && strchr("iopqjvh", letter) != NULL ? 'i' : 0;
}

// A note with an overload, whose types are `outputs` and `inputs`; the rates, 'a', 'k' and 'i', are those of each
// argument. NULL where there is no such overload.
struct note *new_note(const char *name, const char *outputs, const char *inputs, const char *output_rates,
                      const char *input_rates, double sample_rate, int ksmps) {
  static char type_names[] = "a\0k\0i";
  static CS_TYPE types[3];
  static ARGLST lists[2];
  struct entry *entry = entries;
  while (entry < entries + entry_count && (strcmp(entry->name, name) != 0 || strcmp(entry->outputs, outputs) != 0 ||
                                           strcmp(entry->inputs, inputs) != 0))
    entry++;
  if (entry == entries + entry_count) return NULL;
  int output_count = (int)strlen(output_rates), input_count = (int)strlen(input_rates);
  if (output_count + input_count > most_arguments) return NULL;
  struct note *note = (struct note *)calloc(1, sizeof(struct note));
  note->entry = entry;
  note->output_count = output_count;
  note->count = output_count + input_count;
  note->block = (char *)calloc(1, entry->bytes);
  note->engine = ccs_begin_stand_in(note->block, entry->name, sample_rate, (uint32_t)ksmps);
  note->engine->engine.InitError = failed;
  note->engine->engine.PerfError = failed_in;
  note->engine->engine.CreateGlobalVariable = make_shared;
  note->engine->engine.QueryGlobalVariable = find_shared;
  note->engine->engine.GetRandSeed = seed;
  note->engine->engine.FTFind = find_table;
  note->engine->engine.GetTableArgs = find_arguments;
  note->engine->entry.dsblksiz = entry->bytes;
  note->engine->entry.outypes = entry->outputs;
  note->engine->entry.intypes = entry->inputs;
  lists[0].count = output_count;
  lists[1].count = input_count;
  note->engine->text.t.outlist = &lists[0];
  note->engine->text.t.inlist = &lists[1];
  note->engine->text.t.outArgCount = (uint16_t)output_count;
  note->engine->text.t.inArgCount = (uint16_t)input_count;
  for (int index = 0; index < note->count; index++) {
    char rate = index < output_count ? output_rates[index] : input_rates[index - output_count];
    int place = rate == 'a' ? 0 : rate == 'k' ? 1 : 2;
    types[place].varTypeName = type_names + 2 * place;
    struct argument *argument =
        (struct argument *)calloc(1, sizeof(struct argument) + (size_t)ksmps * sizeof(MYFLT));
    argument->type = &types[place];
    note->rates[index] = rate;
    note->values[index] = argument->values;
    ((MYFLT **)(note->block + sizeof(OPDS)))[index] = argument->values;
  }
  return note;
}

// The values of an argument: of an audio argument, those of one k-cycle.
MYFLT *note_values(struct note *note, int index) { return note->values[index]; }

int begin_note(struct note *note) {
  return note->entry->init != NULL ? note->entry->init(&note->engine->engine, note->block) : 0;
}

int perform_note(struct note *note) {
  note->engine->note.kcounter++;
  return note->entry->perf != NULL ? note->entry->perf(&note->engine->engine, note->block) : 0;
}

void end_note(struct note *note) {
  if (note->entry->deinit != NULL) ((OPDS *)note->block)->deinit(&note->engine->engine, note->block);
}

char *new_bytes(int count) { return (char *)calloc(1, (size_t)count); }

#ifdef __wasm__
int main(void) { return 0; }
#endif
