#define _GNU_SOURCE
#ifndef USE_DOUBLE
#define USE_DOUBLE 1
#endif
#include <csound/csdl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <x86intrin.h>

#include "CTrace.h"
#include "count.h"

uint64_t trace_now(void) { return __rdtsc(); }

// ---- A statement at its place in the tree of calls

// The blocks of a traced statement point to `text`, a copy of the statement's own, so that the record
// is found from the block at once.
struct record {
  OPTXT text;
  _Alignas(64) struct record *caller;
  SUBR perform;
  uint64_t passes;
  // What the timed passes of a span took; it is added to the sums when the span was left in peace.
  uint64_t span, span_passes, span_ticks, span_worst, span_extra_readings;
  uint64_t cycle, cycle_ticks;
  uint64_t timed_passes, ticks, worst, extra_readings;
  SUBR initialize;
  uint64_t inits, init_ticks, worst_init;
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
// Those that are in the table, without gaps: half as many as it has places.
static OENTRY **taken_entries;

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
  uint64_t timed_passes, unrecorded;
  // What making records took.
  uint64_t recording;
  struct engine_times { uint64_t before_notes, between_notes, after_notes; } span, sums;
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
// Whether blocks call our functions or, in k-cycles that are not timed, their own.
static int calls_are_traced = 1;
static uint64_t random_state;
static double timed_pass_cost;
static double mean_ticks, mean_timed_ticks, mean_passes;
static int cycles_left_to_time;
static uint64_t passes_before;

static struct trace_load load;
static double backlog;
static uint64_t cycle_start;

// k-cycles between two looks at whether the system took the processor away meanwhile. What was
// measured in a span that was disturbed is left out.
static uint64_t span = 1;
static uint64_t span_start;
static struct {
  uint64_t cycles, ticks, worst, worst_cycle, late_cycles, timed_cycles, timed_ticks;
} in_span;
static uint64_t timed_cycles, timed_ticks, drawn_cycles;
static long interruptions;
enum { remembered_spans = 1 << 16, shortest_span = 60000 };
static uint64_t disturbed_spans[remembered_spans];

static int was_disturbed(uint64_t number) {
  return disturbed_spans[number % remembered_spans] == number;
}
static struct trace_stretch stretches[most_stretches];
static size_t stretch_count, cycles_per_stretch = 1;

struct instrument {
  const INSTRTXT *text;
  char *name;
  int number;
  _Atomic uint64_t ticks;
  uint64_t notes_begun, most_notes, worst;
  uint64_t span_ticks, span_worst;
  uint64_t *stretches;
};
static struct instrument instruments[most_instruments];
static size_t instrument_count;
static int instrument_lock;

int trace_perform(CSOUND *csound, void *block);
int trace_initialize(CSOUND *csound, void *block);
// What blocks call instead of their own functions.
static SUBR perform = trace_perform, initialize = trace_initialize;
static int counts_instructions;
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
    record->span = span;
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
  SUBR init_function = record->initialize, perform_function = record->perform;
  if (block->iopadr != NULL && block->iopadr != initialize) {
    init_function = block->iopadr;
    block->iopadr = initialize;
  }
  if (block->opadr != NULL && block->opadr != perform) perform_function = block->opadr;
  if (init_function != record->initialize || perform_function != record->perform) {
    struct record *caller = thread->current;
    thread->current = record->caller;
    place(thread, block, init_function, perform_function);
    thread->current = caller;
  }
  if (block->opadr != NULL) block->opadr = calls_are_traced ? perform : perform_function;
}

// Lets all blocks there are, and new ones, call their own functions or ours.
static void trace_calls_of_blocks(int is_traced) {
  if (is_traced == calls_are_traced) return;
  calls_are_traced = is_traced;
  for (size_t index = 0; index < entry_count; index++) {
    const struct entry *entry = find_entry(taken_entries[index]);
    if (entry->perform != NULL) taken_entries[index]->kopadr = is_traced ? perform : entry->perform;
  }
  INSTRTXT **list = traced->GetInstrumentList(traced);
  for (INSTRTXT *text = list != NULL ? list[0] : NULL; text != NULL; text = text->nxtinstxt)
    for (INSDS *note = text->instance; note != NULL; note = note->nxtinstance)
      for (OPDS *block = note->nxtp; block != NULL; block = block->nxtp) {
        if (block->opadr == NULL) continue;
        if (is_record(block->optext)) {
          take_back(threads[0], block, (struct record *)block->optext);
        } else {
          const struct entry *entry = find_entry(block->optext->t.oentry);
          if (entry->entry == NULL) continue;
          if (!is_traced && block->opadr == perform) block->opadr = entry->perform;
          if (is_traced && block->opadr == entry->perform) block->opadr = perform;
        }
      }
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
    thread->span.after_notes += now - thread->last;
    thread->last = now;
  }
  thread->times = times_cycle;
  if (thread->times) thread->last = __rdtsc();
}

static void end_span(struct record *record) {
  if (!was_disturbed(record->span)) {
    record->timed_passes += record->span_passes;
    record->ticks += record->span_ticks;
    record->extra_readings += record->span_extra_readings;
    if (record->span_worst > record->worst) record->worst = record->span_worst;
  }
  record->span_passes = record->span_ticks = record->span_extra_readings = record->span_worst = 0;
  record->span = span;
}

static inline void begin_span(struct record *record) {
  if (record->span != span) end_span(record);
}

// Another instance's opcodes run now: what has gone by since belongs to whoever started it.
static void enter(
    struct thread *thread, OPDS *block, struct record *record, int is_init) {
  if (thread->current == &thread->root) leave_instrument(thread);
  if (thread->times) {
    uint64_t now = __rdtsc();
    uint64_t elapsed = now - thread->last;
    thread->last = now;
    begin_span(record);
    record->span_extra_readings++;
    struct record *current = thread->current;
    if (current == &thread->root) {
      if (thread->has_performed) thread->span.between_notes += elapsed;
      else thread->span.before_notes += elapsed;
    } else if (is_init) {
      current->init_ticks += elapsed;
    } else {
      begin_span(current);
      current->span_ticks += elapsed;
    }
  }
  if (thread->current == &thread->root) {
    struct instrument *instrument = find_instrument(block->insdshead);
    if (instrument != NULL) {
      if (is_init) {
        const INSDS *note = block->insdshead;
        instrument->notes_begun += note->reinitflag == 0 && note->tieflag == 0;
      } else {
        thread->has_performed = 1;
      }
    }
    thread->instrument = instrument;
    thread->instrument_start = thread->last;
  }
  thread->instance = block->insdshead;
}

int trace_perform(CSOUND *csound, void *pointer) {
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
    status = counts_instructions
                 ? count_pass((size_t)(record - records), 0, record->perform, csound, pointer)
                 : record->perform(csound, pointer);
    uint64_t now = __rdtsc();
    begin_span(record);
    record->span_passes++;
    record->span_ticks += now - thread->last;
    thread->last = now;
    if (record->cycle != cycle) {
      record->cycle = cycle;
      record->cycle_ticks = 0;
    }
    record->cycle_ticks += now - start;
    if (record->cycle_ticks > record->span_worst) record->span_worst = record->cycle_ticks;
    thread->timed_passes++;
  } else {
    status = record->perform(csound, pointer);
  }
  thread->current = record->caller;
  thread->instance = instance;
  if (__builtin_expect(block->opadr != perform, 0)) take_back(thread, block, record);
  if (__builtin_expect(record->compiles, 0)) take_opcodes();
  return status;
}

int trace_initialize(CSOUND *csound, void *pointer) {
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
  int status = counts_instructions
                   ? count_pass((size_t)(record - records), 1, record->initialize, csound, pointer)
                   : record->initialize(csound, pointer);
  uint64_t now = __rdtsc();
  record->inits++;
  record->init_ticks += now - thread->last;
  if (now - start > record->worst_init) record->worst_init = now - start;
  thread->last = now;
  thread->times = times;
  thread->current = record->caller;
  thread->instance = instance;
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
    OENTRY **taken = realloc(taken_entries, capacity / 2 * sizeof *taken);
    if (taken != NULL) taken_entries = taken;
    if (table == NULL || taken == NULL) {
      free(table);
      return 0;
    }
    entries = table;
    entry_capacity = capacity;
    for (size_t at = 0; at < old_capacity; at++)
      if (old[at].entry != NULL) *find_entry(old[at].entry) = old[at];
    free(old);
  }
  *find_entry(entry) = (struct entry){entry, entry->iopadr, entry->kopadr};
  taken_entries[entry_count++] = entry;
  if (entry->iopadr != NULL) entry->iopadr = initialize;
  if (entry->kopadr != NULL && calls_are_traced) entry->kopadr = perform;
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
  counts_instructions = 0;
  perform = trace_perform;
  initialize = trace_initialize;
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
  free(taken_entries);
  entries = NULL;
  taken_entries = NULL;
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
  mean_ticks = mean_timed_ticks = mean_passes = backlog = 0;
  cycles_left_to_time = 0;
  calls_are_traced = 1;
  load = (struct trace_load){0};
  timed_cycles = timed_ticks = drawn_cycles = 0;
  span = 1;
  memset(&in_span, 0, sizeof in_span);
  memset(disturbed_spans, 0, sizeof disturbed_spans);
}

int trace_attach(void *engine, double largest_share, int counts) {
  struct trace_cost cost = trace_measure_cost();
  if (!allocate_records()) return -1;
  timed_pass_cost = cost.timed_pass;
  if (counts) {
    counts_instructions = 1;
    perform = trace_counted_perform;
    initialize = trace_counted_initialize;
  }
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
  struct trace_cost cost = {0, 0};
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

static uint64_t larger(uint64_t a, uint64_t b) { return a > b ? a : b; }

static double random_number(void) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return (double)(random_state >> 11) * 0x1p-53;
}

static void look_first(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  interruptions = usage.ru_nivcsw;
  span_start = __rdtsc();
}

// Whether the next k-cycle is timed: in runs, so drawn that timing takes the share it may.
static int draws_timing(void) {
  enum { run = 32 };
  if (share == 0) return 1;
  if (cycles_left_to_time == 0) {
    double own = mean_ticks > 0 ? mean_ticks : mean_timed_ticks;
    double calibrated = mean_passes * timed_pass_cost, seen = mean_timed_ticks - own;
    double cost = mean_ticks > 0 && seen > calibrated ? seen : calibrated;
    double part = cost <= share * own ? 1 : share * own / cost;
    // The first of a run finds cold caches and is not timed.
    if (random_number() * (run - (run - 1) * part) < part) {
      cycles_left_to_time = run;
      return part == 1;
    }
  }
  if (cycles_left_to_time == 0) return 0;
  cycles_left_to_time--;
  return 1;
}

void trace_begin_cycle(void) {
  cycle++;
  if (traced != NULL) {
    times_cycle = draws_timing();
    if (share > 0) trace_calls_of_blocks(cycles_left_to_time > 0 || times_cycle);
    struct thread *thread = this_thread != NULL ? this_thread : new_thread();
    begin_cycle(thread);
    // What the engine did before its first k-cycle is not part of any.
    if (cycle == 1) {
      thread->span = (struct engine_times){0, 0, 0};
      thread->recording = 0;
    }
  }
  if (cycle == 1) look_first();
  cycle_start = __rdtsc();
  if (traced != NULL) this_thread->last = cycle_start;
}

static void merge_stretches(void) {
  for (size_t index = 0; index < most_stretches / 2; index++) {
    struct trace_stretch a = stretches[2 * index], b = stretches[2 * index + 1];
    stretches[index] = (struct trace_stretch){
        a.cycles + b.cycles, a.calm_cycles + b.calm_cycles, a.timed_cycles + b.timed_cycles,
        a.ticks + b.ticks, larger(a.worst, b.worst), larger(a.most_notes, b.most_notes)};
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

// Notes sounding now.
static void count_notes(struct trace_stretch *stretch) {
  INSTRTXT **list = traced->GetInstrumentList(traced);
  uint64_t all = 0;
  for (INSTRTXT *text = list != NULL ? list[0] : NULL; text != NULL; text = text->nxtinstxt) {
    if (text->active <= 0 || text->opcode_info != NULL) continue;
    for (size_t index = 0; index < instrument_count; index++) {
      struct instrument *instrument = &instruments[index];
      if (instrument->text != text || instrument->number == 0) continue;
      instrument->most_notes = larger(instrument->most_notes, (uint64_t)text->active);
      all += (uint64_t)text->active;
    }
  }
  stretch->most_notes = larger(stretch->most_notes, all);
}

// Adds what was measured since the last look, unless the system took the processor away.
static void look(uint64_t now) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  // The threads of -j take turns; and where hardly a span is calm, all are taken.
  int is_disturbed = usage.ru_nivcsw != interruptions && thread_count <= 1 &&
                     load.disturbed_cycles <= 9 * (load.cycles - load.disturbed_cycles);
  interruptions = usage.ru_nivcsw;
  struct trace_stretch *stretch = &stretches[stretch_count - 1];
  if (is_disturbed) {
    disturbed_spans[span % remembered_spans] = span;
    load.disturbed_cycles += in_span.cycles;
  } else {
    if (in_span.worst > load.worst) {
      load.worst = in_span.worst;
      load.worst_cycle = in_span.worst_cycle;
    }
    load.ticks += in_span.ticks;
    load.late_cycles += in_span.late_cycles;
    stretch->calm_cycles += in_span.cycles;
    stretch->ticks += in_span.ticks;
    stretch->worst = larger(stretch->worst, in_span.worst);
    timed_cycles += in_span.timed_cycles;
    timed_ticks += in_span.timed_ticks;
    stretch->timed_cycles += in_span.timed_cycles;
  }
  memset(&in_span, 0, sizeof in_span);
  for (size_t index = 0; index < thread_count; index++) {
    struct thread *thread = threads[index];
    if (!is_disturbed) {
      thread->sums.before_notes += thread->span.before_notes;
      thread->sums.between_notes += thread->span.between_notes;
      thread->sums.after_notes += thread->span.after_notes;
    }
    thread->span = (struct engine_times){0, 0, 0};
  }
  for (size_t index = 0; index < instrument_count; index++) {
    struct instrument *instrument = &instruments[index];
    if (!is_disturbed) {
      instrument->stretches[stretch_count - 1] += instrument->span_ticks;
      instrument->worst = larger(instrument->worst, instrument->span_worst);
    }
    instrument->span_ticks = instrument->span_worst = 0;
  }
  if (traced != NULL) count_notes(stretch);
  span++;
  span_start = now;
}

void trace_end_cycle(double ticks_per_cycle) {
  uint64_t now = __rdtsc();
  uint64_t elapsed = now - cycle_start;
  if (stretch_count == 0 || stretches[stretch_count - 1].cycles == cycles_per_stretch) {
    if (stretch_count > 0) look(now);
    if (stretch_count == most_stretches) merge_stretches();
    stretch_count++;
  }
  struct trace_stretch *stretch = &stretches[stretch_count - 1];
  if (traced != NULL) {
    struct thread *thread = this_thread;
    if (thread->times) {
      thread->span.after_notes += now - thread->last;
      drawn_cycles++;
      in_span.timed_cycles++;
      in_span.timed_ticks += elapsed;
    }
    uint64_t passes = 0;
    for (size_t index = 0; index < thread_count; index++) {
      leave_instrument(threads[index]);
      passes += threads[index]->timed_passes;
    }
    double *mean = thread->times ? &mean_timed_ticks : &mean_ticks;
    *mean = *mean == 0 ? (double)elapsed : *mean + 0.02 * ((double)elapsed - *mean);
    if (thread->times) mean_passes += 0.02 * ((double)(passes - passes_before) - mean_passes);
    passes_before = passes;
    for (size_t index = 0; index < instrument_count; index++) {
      struct instrument *instrument = &instruments[index];
      instrument->span_worst = larger(instrument->span_worst, instrument->ticks);
      instrument->span_ticks += instrument->ticks;
      instrument->ticks = 0;
    }
  }
  stretch->cycles++;
  in_span.cycles++;
  in_span.ticks += elapsed;
  if (elapsed > in_span.worst) {
    in_span.worst = elapsed;
    in_span.worst_cycle = load.cycles;
  }
  if ((double)elapsed > ticks_per_cycle) in_span.late_cycles++;
  load.cycles++;
  if (now - span_start > shortest_span) look(now);
  // A k-cycle that was disturbed is taken for one in time.
  if (!was_disturbed(span - 1)) backlog += (double)elapsed - ticks_per_cycle;
  if (backlog < 0) backlog = 0;
  if (backlog > load.largest_backlog) load.largest_backlog = backlog;
}

// ---- Results

void trace_finish(void) {
  if (in_span.cycles > 0) look(__rdtsc());
}

struct trace_load trace_load(void) { return load; }
size_t trace_cycles_per_stretch(void) { return cycles_per_stretch; }
size_t trace_stretches(const struct trace_stretch **result) {
  if (result != NULL) *result = stretches;
  return stretch_count;
}

size_t trace_calls(struct trace_call *calls, size_t capacity) {
  for (size_t index = 0; index < record_count && index < capacity; index++) {
    struct record *record = &records[index];
    end_span(record);
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
        .worst = record->worst,
        .ksmps = record->ksmps,
        .inits = record->inits,
        .init_ticks = record->init_ticks,
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
  struct trace_engine result = {
      .drawn_cycles = drawn_cycles, .timed_cycles = timed_cycles, .timed_ticks = timed_ticks};
  for (size_t index = 0; index < thread_count; index++) {
    const struct thread *thread = threads[index];
    if (index == 0) {
      result.before_notes = thread->sums.before_notes;
      result.between_notes = thread->sums.between_notes;
      result.after_notes = thread->sums.after_notes;
      result.recording = thread->recording;
    }
    result.unrecorded += thread->unrecorded;
  }
  result.threads = thread_count;
  return result;
}
