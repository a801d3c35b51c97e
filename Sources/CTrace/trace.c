#define _GNU_SOURCE
#ifndef USE_DOUBLE
#define USE_DOUBLE 1
#endif
#include <csound/csdl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <x86intrin.h>

#include "CTrace.h"

uint64_t trace_now(void) { return __rdtsc(); }

// ---- A statement at its place in the tree of calls

// The blocks of a traced statement point to `text`, a copy of the statement's own, so that the record
// is found from the block at once.
struct record {
  OPTXT text;
  _Alignas(64) struct record *caller;
  SUBR perform;
  uint64_t passes, timed_passes, ticks, total;
  uint64_t cycle, cycle_ticks;
  uint64_t worst;
  // Readings of the counter beyond one a pass that its ticks hold.
  uint64_t extra_readings;
  SUBR initialize;
  uint64_t inits, init_ticks, init_total, worst_init;
  // Whether it may compile orchestra code.
  int compiles;
  const OPTXT *statement;
  const INSTRTXT *instrument;
  uint64_t ksmps;
  int instrument_number;
  int thread;
  // Copies, because an instrument that is defined anew is freed.
  char *opcode, *outputs, *inputs, *name;
  size_t index;
  int is_user_opcode, is_late;
};

enum { most_records = 1 << 19, most_instruments = 4096, most_stretches = 2048, most_threads = 256 };

static struct record *records;
static _Atomic size_t record_count;

static inline int is_record(const void *text) {
  return (size_t)((const char *)text - (const char *)records) <
         most_records * sizeof(struct record);
}

// ---- The true functions of opcodes

struct entry {
  OENTRY *entry;
  SUBR initialize, perform;
};

static struct entry *entries;
static size_t entry_count, entry_capacity;

static inline size_t hash(size_t a, size_t b) {
  size_t mixed = (a ^ (b * 0x9E3779B97F4A7C15u)) * 0xBF58476D1CE4E5B9u;
  return mixed ^ (mixed >> 29);
}

static struct entry *find_entry(const OENTRY *entry) {
  if (entry_capacity == 0) return NULL;
  for (size_t at = hash((size_t)entry, 0);; at++) {
    struct entry *found = &entries[at & (entry_capacity - 1)];
    if (found->entry == entry || found->entry == NULL) return found;
  }
}

// ---- Threads

// Each has records of its own.
struct thread {
  int number;
  struct record *current;
  INSDS *instance;
  // The k-cycle it is at, whether passes are timed, and when the counter was read last.
  uint64_t cycle, last;
  int times;
  int has_performed;
  uint64_t passes, timed_passes, inits, unrecorded;
  // What making records took.
  uint64_t recording;
  uint64_t before_notes, between_notes, after_notes;
  // The instrument that performs and since when.
  struct instrument *instrument;
  uint64_t instrument_start;
  struct record root;
  struct record **table;
  size_t table_count, table_capacity;
};

static __thread struct thread *this_thread;
static struct thread *threads[most_threads];
static _Atomic size_t thread_count;

// ---- The engine under trace

static CSOUND *traced;
static double share;
static uint64_t cycle;
static int times_cycle;
static uint64_t random_state;
static double timed_pass_cost;
static double mean_ticks, mean_passes;
static uint64_t passes_before;

static struct trace_load load;
static struct trace_engine engine_time;
static double backlog;
static uint64_t cycle_start;
static struct trace_stretch stretches[most_stretches];
static size_t stretch_count, cycles_per_stretch = 1;

struct instrument {
  const INSTRTXT *text;
  char *name;
  int number;
  _Atomic uint64_t ticks, notes;
  uint64_t notes_begun, most_notes, worst;
  uint64_t *stretches;
};
static struct instrument instruments[most_instruments];
static size_t instrument_count;
static int instrument_lock;

static int perform(CSOUND *csound, void *block);
static int initialize(CSOUND *csound, void *block);
static int take_opcodes(void);

static struct thread *new_thread(void) {
  size_t number = thread_count++;
  struct thread *thread = number < most_threads ? calloc(1, sizeof *thread) : NULL;
  if (thread == NULL) abort();
  thread->number = (int)number;
  thread->current = &thread->root;
  thread->cycle = UINT64_MAX;
  threads[number] = this_thread = thread;
  return thread;
}

static struct record **slot(
    struct thread *thread, const struct record *caller, const OPTXT *statement, const OPTXT *text,
    SUBR initialize, SUBR perform) {
  for (size_t at = hash((size_t)caller, (size_t)statement);; at++) {
    struct record **place = &thread->table[at & (thread->table_capacity - 1)];
    struct record *record = *place;
    if (record == NULL ||
        (record->caller == caller && record->statement == statement &&
         record->initialize == initialize && record->perform == perform &&
         // Another statement's memory may be there when that is gone.
         record->text.t.inlist == text->t.inlist && record->text.t.linenum == text->t.linenum))
      return place;
  }
}

static int grow(struct thread *thread) {
  if (2 * thread->table_count < thread->table_capacity) return 1;
  struct record **old = thread->table;
  size_t old_capacity = thread->table_capacity;
  size_t capacity = old_capacity == 0 ? 1024 : 2 * old_capacity;
  struct record **table = calloc(capacity, sizeof *table);
  if (table == NULL) return 0;
  thread->table = table;
  thread->table_capacity = capacity;
  for (size_t at = 0; at < old_capacity; at++)
    if (old[at] != NULL)
      *slot(
          thread, old[at]->caller, old[at]->statement, &old[at]->text, old[at]->initialize,
          old[at]->perform) = old[at];
  free(old);
  return 1;
}

// The instruments that were compiled when the trace was attached.
static const INSTRTXT **file_instruments;
static size_t file_instrument_count;

static int is_from_file(const INSTRTXT *instrument) {
  for (size_t index = 0; index < file_instrument_count; index++)
    if (file_instruments[index] == instrument) return 1;
  return 0;
}

static int may_compile(const char *name) {
  return strncmp(name, "compile", 7) == 0 || strncmp(name, "eval", 4) == 0;
}

static char *joined(const ARGLST *list) {
  size_t size = 1;
  for (int index = 0; list != NULL && index < list->count; index++)
    size += strlen(list->arg[index]) + 1;
  char *names = calloc(size, 1);
  for (int index = 0; names != NULL && list != NULL && index < list->count; index++) {
    if (index > 0) strcat(names, TRACE_SEPARATOR);
    strcat(names, list->arg[index]);
  }
  return names;
}

static void describe(struct record *record, const INSDS *instance) {
  const TEXT *text = &record->text.t;
  const INSTRTXT *instrument = instance->instr;
  record->instrument = instrument;
  record->instrument_number = instance->insno;
  record->ksmps = instance->ksmps;
  record->opcode = strdup(text->oentry->opname);
  record->outputs = joined(text->outlist);
  record->inputs = joined(text->inlist);
  if (instrument == NULL) return;
  if (instrument->insname != NULL) record->name = strdup(instrument->insname);
  record->is_user_opcode = instrument->opcode_info != NULL;
  record->is_late = !is_from_file(instrument);
  for (const OPTXT *other = instrument->nxtop; other != NULL && other != record->statement;
       other = other->nxtop)
    record->index++;
}

// The record of a block whose statement runs in another place than last time, or with other functions;
// NULL when there is no memory.
static struct record *place(
    struct thread *thread, OPDS *block, SUBR initialize_function, SUBR perform_function) {
  uint64_t start = __rdtsc();
  const OPTXT *text = block->optext;
  const OPTXT *statement = is_record(text) ? ((const struct record *)text)->statement : text;
  if (!grow(thread)) return NULL;
  struct record **found =
      slot(thread, thread->current, statement, text, initialize_function, perform_function);
  if (*found == NULL) {
    size_t number = record_count++;
    if (number >= most_records) {
      record_count--;
      return NULL;
    }
    struct record *record = &records[number];
    record->text = *text;
    record->caller = thread->current;
    record->statement = statement;
    record->initialize = initialize_function;
    record->perform = perform_function;
    record->thread = thread->number;
    record->compiles = may_compile(text->t.oentry->opname);
    record->cycle = UINT64_MAX;
    describe(record, block->insdshead);
    *found = record;
    thread->table_count++;
  }
  block->optext = &(*found)->text;
  uint64_t elapsed = __rdtsc() - start;
  thread->last += elapsed;
  thread->recording += elapsed;
  return *found;
}

static void functions(const OPDS *block, SUBR *init_function, SUBR *perform_function) {
  if (is_record(block->optext)) {
    *init_function = ((struct record *)block->optext)->initialize;
    *perform_function = ((struct record *)block->optext)->perform;
  } else {
    struct entry *entry = find_entry(block->optext->t.oentry);
    *init_function = entry->initialize;
    *perform_function = entry->perform;
  }
}

static inline struct record *record_of(struct thread *thread, OPDS *block) {
  struct record *record = (struct record *)block->optext;
  if (__builtin_expect(is_record(record) && record->caller == thread->current, 1)) return record;
  SUBR init_function, perform_function;
  functions(block, &init_function, &perform_function);
  return place(thread, block, init_function, perform_function);
}

// An opcode's init or performance may choose other functions for its block.
static void take_back(struct thread *thread, OPDS *block, struct record *record) {
  struct record *caller = thread->current;
  SUBR init_function = record->initialize, perform_function = record->perform;
  if (block->iopadr != NULL && block->iopadr != initialize) {
    init_function = block->iopadr;
    block->iopadr = initialize;
  }
  if (block->opadr != NULL && block->opadr != perform) {
    perform_function = block->opadr;
    block->opadr = perform;
  }
  thread->current = record->caller;
  place(thread, block, init_function, perform_function);
  thread->current = caller;
}

static struct instrument *find_instrument(INSDS *instance) {
  for (size_t index = 0; index < instrument_count; index++)
    if (instruments[index].text == instance->instr) return &instruments[index];
  while (__atomic_exchange_n(&instrument_lock, 1, __ATOMIC_ACQUIRE)) _mm_pause();
  size_t index = 0;
  while (index < instrument_count && instruments[index].text != instance->instr) index++;
  struct instrument *instrument = NULL;
  if (index < most_instruments) {
    instrument = &instruments[index];
    if (index == instrument_count) {
      instrument->stretches = calloc(most_stretches, sizeof *instrument->stretches);
      if (instrument->stretches != NULL) {
        instrument->number = instance->insno;
        if (instance->instr != NULL && instance->instr->insname != NULL)
          instrument->name = strdup(instance->instr->insname);
        instrument->text = instance->instr;
        __atomic_store_n(&instrument_count, index + 1, __ATOMIC_RELEASE);
      } else {
        instrument = NULL;
      }
    }
  }
  __atomic_store_n(&instrument_lock, 0, __ATOMIC_RELEASE);
  return instrument;
}

static void leave_instrument(struct thread *thread) {
  if (thread->instrument != NULL && thread->times)
    thread->instrument->ticks += thread->last - thread->instrument_start;
  thread->instrument = NULL;
}

static void begin_cycle(struct thread *thread) {
  if (thread->cycle != UINT64_MAX) leave_instrument(thread);
  thread->cycle = cycle;
  thread->current = &thread->root;
  thread->instance = NULL;
  thread->has_performed = 0;
  // A thread of -j has waited since its last pass.
  if (thread->number > 0 && thread->times && times_cycle) {
    uint64_t now = __rdtsc();
    thread->after_notes += now - thread->last;
    thread->last = now;
  }
  thread->times = times_cycle;
  if (thread->times) thread->last = __rdtsc();
}

// Another instance's opcodes run now: what has gone by since belongs to whoever started it.
static void enter(
    struct thread *thread, OPDS *block, struct record *record, int is_init) {
  if (thread->current == &thread->root) leave_instrument(thread);
  if (thread->times) {
    uint64_t now = __rdtsc();
    uint64_t elapsed = now - thread->last;
    thread->last = now;
    record->extra_readings++;
    struct record *current = thread->current;
    if (current == &thread->root) {
      if (thread->has_performed) thread->between_notes += elapsed;
      else thread->before_notes += elapsed;
    } else if (is_init) {
      current->init_ticks += elapsed;
    } else {
      current->ticks += elapsed;
    }
  }
  if (thread->current == &thread->root) {
    struct instrument *instrument = find_instrument(block->insdshead);
    if (instrument != NULL) {
      if (is_init) {
        const INSDS *note = block->insdshead;
        instrument->notes_begun += note->reinitflag == 0 && note->tieflag == 0;
      } else {
        instrument->notes++;
        thread->has_performed = 1;
      }
    }
    thread->instrument = instrument;
    thread->instrument_start = thread->last;
  }
  thread->instance = block->insdshead;
}

static int perform(CSOUND *csound, void *pointer) {
  OPDS *block = pointer;
  struct thread *thread = this_thread;
  if (__builtin_expect(thread == NULL, 0)) thread = new_thread();
  if (__builtin_expect(thread->cycle != cycle, 0)) begin_cycle(thread);
  struct record *record = record_of(thread, block);
  if (__builtin_expect(record == NULL, 0)) {
    SUBR init_function, perform_function;
    functions(block, &init_function, &perform_function);
    thread->unrecorded++;
    return perform_function(csound, pointer);
  }
  INSDS *instance = block->insdshead;
  if (thread->instance != instance) enter(thread, block, record, 0);
  record->passes++;
  thread->current = record;
  int status;
  if (thread->times) {
    uint64_t start = thread->last;
    status = record->perform(csound, pointer);
    uint64_t now = __rdtsc();
    record->timed_passes++;
    record->ticks += now - thread->last;
    record->total += now - start;
    thread->last = now;
    if (record->cycle != cycle) {
      if (record->cycle_ticks > record->worst) record->worst = record->cycle_ticks;
      record->cycle = cycle;
      record->cycle_ticks = 0;
    }
    record->cycle_ticks += now - start;
    thread->timed_passes++;
  } else {
    status = record->perform(csound, pointer);
    thread->passes++;
  }
  thread->current = record->caller;
  thread->instance = instance;
  if (__builtin_expect(block->opadr != perform, 0)) take_back(thread, block, record);
  if (__builtin_expect(record->compiles, 0)) take_opcodes();
  return status;
}

static int initialize(CSOUND *csound, void *pointer) {
  OPDS *block = pointer;
  struct thread *thread = this_thread;
  if (thread == NULL) thread = new_thread();
  if (thread->cycle != cycle) begin_cycle(thread);
  struct record *record = record_of(thread, block);
  if (record == NULL) {
    SUBR init_function, perform_function;
    functions(block, &init_function, &perform_function);
    thread->unrecorded++;
    return init_function(csound, pointer);
  }
  INSDS *instance = block->insdshead;
  // Init passes are timed in k-cycles that are not.
  int times = thread->times;
  if (!times) thread->last = __rdtsc();
  if (thread->instance != instance) enter(thread, block, record, 1);
  thread->times = 1;
  thread->current = record;
  uint64_t start = thread->last;
  int status = record->initialize(csound, pointer);
  uint64_t now = __rdtsc();
  record->inits++;
  record->init_ticks += now - thread->last;
  record->init_total += now - start;
  if (now - start > record->worst_init) record->worst_init = now - start;
  thread->last = now;
  thread->inits++;
  thread->times = times;
  thread->current = record->caller;
  thread->instance = instance;
  if (block->opadr != NULL && (block->opadr != perform || block->iopadr != initialize))
    take_back(thread, block, record);
  if (record->compiles) take_opcodes();
  return status;
}

// ---- Attaching

// What Csound tells from other opcodes by their functions or never calls.
static int is_left_alone(const OENTRY *entry) {
  static const char *const names[] = {"instr", "endin", "endop", "$label", "rireturn"};
  for (size_t index = 0; index < sizeof names / sizeof *names; index++)
    if (strcmp(entry->opname, names[index]) == 0) return 1;
  return strstr(entry->opname, "rireturn") != NULL;
}

static int take_entry(OENTRY *entry) {
  if (is_left_alone(entry)) return 1;
  struct entry *found = find_entry(entry);
  if (found != NULL && found->entry == entry) return 1;
  // A copy of an entry that is taken, as redefinitions make, would call itself.
  if (entry->iopadr == initialize || entry->kopadr == perform) return 1;
  if (2 * entry_count >= entry_capacity) {
    struct entry *old = entries;
    size_t old_capacity = entry_capacity;
    size_t capacity = old_capacity == 0 ? 1024 : 2 * old_capacity;
    struct entry *table = calloc(capacity, sizeof *table);
    if (table == NULL) return 0;
    entries = table;
    entry_capacity = capacity;
    for (size_t at = 0; at < old_capacity; at++)
      if (old[at].entry != NULL) *find_entry(old[at].entry) = old[at];
    free(old);
  }
  *find_entry(entry) = (struct entry){entry, entry->iopadr, entry->kopadr};
  entry_count++;
  if (entry->iopadr != NULL) entry->iopadr = initialize;
  if (entry->kopadr != NULL) entry->kopadr = perform;
  return 1;
}

static int take_opcodes(void) {
  INSTRTXT **list = traced->GetInstrumentList(traced);
  if (list == NULL) return 1;
  for (INSTRTXT *text = list[0]; text != NULL; text = text->nxtinstxt)
    for (OPTXT *statement = text->nxtop; statement != NULL; statement = statement->nxtop)
      if (statement->t.oentry != NULL && !take_entry(statement->t.oentry)) return 0;
  return 1;
}

static int remember_instruments(void) {
  INSTRTXT **list = traced->GetInstrumentList(traced);
  size_t count = 0;
  for (INSTRTXT *text = list != NULL ? list[0] : NULL; text != NULL; text = text->nxtinstxt) count++;
  file_instruments = calloc(count + 1, sizeof *file_instruments);
  if (file_instruments == NULL) return 0;
  for (INSTRTXT *text = list != NULL ? list[0] : NULL; text != NULL; text = text->nxtinstxt)
    file_instruments[file_instrument_count++] = text;
  return 1;
}

static int allocate_records(void) {
  if (records != NULL) return 1;
  void *memory = mmap(
      NULL, most_records * sizeof(struct record), PROT_READ | PROT_WRITE,
      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return 0;
  records = memory;
  return 1;
}

void trace_reset(void) {
  traced = NULL;
  for (size_t index = 0; index < record_count; index++) {
    free(records[index].opcode);
    free(records[index].outputs);
    free(records[index].inputs);
    free(records[index].name);
  }
  free(file_instruments);
  file_instruments = NULL;
  file_instrument_count = 0;
  if (records != NULL) munmap(records, most_records * sizeof(struct record));
  records = NULL;
  record_count = 0;
  free(entries);
  entries = NULL;
  entry_count = entry_capacity = 0;
  for (size_t index = 0; index < thread_count; index++) {
    struct thread *thread = threads[index];
    free(thread->table);
    *thread = (struct thread){.number = thread->number, .cycle = UINT64_MAX};
    thread->current = &thread->root;
  }
  for (size_t index = 0; index < instrument_count; index++) {
    free(instruments[index].stretches);
    free(instruments[index].name);
  }
  memset(instruments, 0, sizeof instruments);
  memset(stretches, 0, sizeof stretches);
  instrument_count = stretch_count = 0;
  cycles_per_stretch = 1;
  cycle = passes_before = 0;
  mean_ticks = mean_passes = backlog = 0;
  load = (struct trace_load){0};
  engine_time = (struct trace_engine){0};
}

int trace_attach(void *engine, double largest_share) {
  struct trace_cost cost = trace_measure_cost();
  if (!allocate_records()) return -1;
  timed_pass_cost = cost.timed_pass;
  traced = engine;
  share = largest_share;
  random_state = 0x9E3779B97F4A7C15u;
  times_cycle = 1;
  return remember_instruments() && take_opcodes() ? 0 : -1;
}

// ---- What it costs

static int nothing(CSOUND *csound, void *block) {
  (void)csound;
  (void)block;
  return 0;
}

// The fewest ticks a pass takes, over many rounds of the loop in which Csound performs a note.
static double ticks_per_pass(OPDS *blocks, size_t count, int is_timed, int is_traced) {
  uint64_t fewest = UINT64_MAX;
  for (int round = 0; round < 400; round++) {
    cycle++;
    times_cycle = is_timed;
    if (is_traced) begin_cycle(this_thread);
    uint64_t start = __rdtsc();
    for (OPDS *block = blocks; block != NULL;) {
      block->insdshead->pds = block;
      block->opadr(NULL, block);
      block = block->insdshead->pds->nxtp;
    }
    uint64_t elapsed = __rdtsc() - start;
    if (elapsed < fewest) fewest = elapsed;
  }
  return (double)fewest / (double)count;
}

struct trace_cost trace_measure_cost(void) {
  enum { count = 64 };
  static OPDS blocks[count];
  static OPTXT statements[count];
  static INSDS instance;
  static OENTRY entry;
  trace_reset();
  struct trace_cost cost = {0, 0, 0};
  if (!allocate_records()) return cost;
  if (this_thread == NULL) new_thread();
  entry = (OENTRY){.opname = "nothing", .kopadr = nothing};
  for (size_t index = 0; index < count; index++) {
    statements[index] = (OPTXT){.t = {.oentry = &entry}};
    blocks[index] = (OPDS){
        .nxtp = index + 1 < count ? &blocks[index + 1] : NULL,
        .opadr = nothing,
        .optext = &statements[index],
        .insdshead = &instance};
  }
  double alone = ticks_per_pass(blocks, count, 0, 0);
  if (take_entry(&entry)) {
    for (size_t index = 0; index < count; index++) blocks[index].opadr = perform;
    cost.timed_pass = ticks_per_pass(blocks, count, 1, 1) - alone;
    cost.untimed_pass = ticks_per_pass(blocks, count, 0, 1) - alone;
    cost.extra_reading = 1e9;
    for (int round = 0; round < 400; round++) {
      uint64_t start = __rdtsc();
      double elapsed = (double)(__rdtsc() - start);
      if (elapsed < cost.extra_reading) cost.extra_reading = elapsed;
    }
  }
  trace_reset();
  return cost;
}

// ---- k-cycles

static double random_number(void) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return (double)(random_state >> 11) * 0x1p-53;
}

void trace_begin_cycle(void) {
  cycle++;
  if (traced != NULL) {
    double expected = mean_passes * timed_pass_cost;
    times_cycle = share == 0 || expected <= share * mean_ticks ||
                  random_number() * expected < share * mean_ticks;
    struct thread *thread = this_thread != NULL ? this_thread : new_thread();
    begin_cycle(thread);
    // What the engine did before its first k-cycle is not part of any.
    if (cycle == 1) 
      thread->before_notes = thread->between_notes = thread->after_notes = thread->recording = 0;
  }
  cycle_start = __rdtsc();
  if (traced != NULL) this_thread->last = cycle_start;
}

static void merge_stretches(void) {
  for (size_t index = 0; index < most_stretches / 2; index++) {
    struct trace_stretch a = stretches[2 * index], b = stretches[2 * index + 1];
    stretches[index] = (struct trace_stretch){
        a.cycles + b.cycles, a.ticks + b.ticks, a.worst > b.worst ? a.worst : b.worst,
        a.most_notes > b.most_notes ? a.most_notes : b.most_notes, a.notes + b.notes};
  }
  memset(&stretches[most_stretches / 2], 0, most_stretches / 2 * sizeof *stretches);
  for (size_t number = 0; number < instrument_count; number++) {
    uint64_t *ticks = instruments[number].stretches;
    for (size_t index = 0; index < most_stretches / 2; index++)
      ticks[index] = ticks[2 * index] + ticks[2 * index + 1];
    memset(&ticks[most_stretches / 2], 0, most_stretches / 2 * sizeof *ticks);
  }
  stretch_count = most_stretches / 2;
  cycles_per_stretch *= 2;
}

void trace_end_cycle(double ticks_per_cycle) {
  uint64_t now = __rdtsc();
  uint64_t elapsed = now - cycle_start;
  if (stretch_count == 0 || stretches[stretch_count - 1].cycles == cycles_per_stretch) {
    if (stretch_count == most_stretches) merge_stretches();
    stretch_count++;
  }
  struct trace_stretch *stretch = &stretches[stretch_count - 1];
  uint64_t notes = 0;
  if (traced != NULL) {
    struct thread *thread = this_thread;
    if (thread->times) {
      thread->after_notes += now - thread->last;
      engine_time.timed_cycles++;
      engine_time.timed_ticks += elapsed;
    }
    uint64_t passes = 0;
    for (size_t index = 0; index < thread_count; index++) {
      struct thread *other = threads[index];
      leave_instrument(other);
      passes += other->passes + other->timed_passes;
    }
    mean_passes += 0.02 * ((double)(passes - passes_before) - mean_passes);
    passes_before = passes;
    mean_ticks += 0.02 * ((double)elapsed - mean_ticks);
    for (size_t index = 0; index < instrument_count; index++) {
      struct instrument *instrument = &instruments[index];
      notes += instrument->notes;
      if (instrument->notes > instrument->most_notes) instrument->most_notes = instrument->notes;
      if (instrument->ticks > instrument->worst) instrument->worst = instrument->ticks;
      instrument->stretches[stretch_count - 1] += instrument->ticks;
      instrument->ticks = instrument->notes = 0;
    }
  }
  stretch->cycles++;
  stretch->ticks += elapsed;
  if (elapsed > stretch->worst) stretch->worst = elapsed;
  stretch->notes += notes;
  if (notes > stretch->most_notes) stretch->most_notes = notes;

  load.cycles++;
  load.ticks += elapsed;
  if (elapsed > load.worst) {
    load.worst = elapsed;
    load.worst_cycle = load.cycles - 1;
  }
  if ((double)elapsed > ticks_per_cycle) load.late_cycles++;
  backlog += (double)elapsed - ticks_per_cycle;
  if (backlog < 0) backlog = 0;
  if (backlog > load.largest_backlog) load.largest_backlog = backlog;
}

// ---- Results

struct trace_load trace_load(void) { return load; }
size_t trace_cycles_per_stretch(void) { return cycles_per_stretch; }
size_t trace_stretches(const struct trace_stretch **result) {
  if (result != NULL) *result = stretches;
  return stretch_count;
}

size_t trace_calls(struct trace_call *calls, size_t capacity) {
  for (size_t index = 0; index < record_count && index < capacity; index++) {
    const struct record *record = &records[index];
    calls[index] = (struct trace_call){
        .caller = is_record(record->caller) ? record->caller - records : -1,
        .opcode = record->opcode,
        .outputs = record->outputs,
        .inputs = record->inputs,
        .line = record->text.t.linenum,
        .location = record->text.t.locn,
        .is_late = record->is_late,
        .statement = record->statement,
        .index = record->index,
        .instrument = {record->instrument, record->name, record->instrument_number,
                       record->is_user_opcode},
        .passes = record->passes,
        .timed_passes = record->timed_passes,
        .ticks = record->ticks,
        .total = record->total,
        .worst = record->cycle_ticks > record->worst ? record->cycle_ticks : record->worst,
        .ksmps = record->ksmps,
        .inits = record->inits,
        .init_ticks = record->init_ticks,
        .init_total = record->init_total,
        .worst_init = record->worst_init,
        .extra_readings = record->extra_readings,
        .thread = record->thread};
  }
  return record_count;
}

size_t trace_instruments(struct trace_instrument *result, size_t capacity) {
  for (size_t index = 0; index < instrument_count && index < capacity; index++) {
    const struct instrument *instrument = &instruments[index];
    result[index] = (struct trace_instrument){
        {instrument->text, instrument->name, instrument->number, 0}, instrument->notes_begun,
        instrument->most_notes, instrument->worst, instrument->stretches};
  }
  return instrument_count;
}

struct trace_engine trace_engine(void) {
  struct trace_engine result = engine_time;
  for (size_t index = 0; index < thread_count; index++) {
    const struct thread *thread = threads[index];
    if (index == 0) {
      result.before_notes = thread->before_notes;
      result.between_notes = thread->between_notes;
      result.after_notes = thread->after_notes;
      result.recording = thread->recording;
    }
    result.passes += thread->passes + thread->timed_passes;
    result.timed_passes += thread->timed_passes;
    result.inits += thread->inits;
    result.unrecorded += thread->unrecorded;
  }
  result.threads = thread_count;
  return result;
}
