#include "count.h"
#include "trace.h"

// The functions of an entry and of a block.
#define ENTRY_INIT(entry) (*ccs_entry_initialize(entry))
#define ENTRY_PERFORM(entry) (*ccs_entry_perform(entry))
#define INIT(block) (*ccs_block_initialize(block))
#define PERFORM(block) (*ccs_block_perform(block))

// The original functions of opcodes, in a hash table that is at most half full.
static struct entry *entries;
static size_t entry_count, entry_capacity;
static OENTRY **taken_entries;

int trace_calls_are_traced = 1;

struct entry *trace_find_entry(const OENTRY *entry) {
  if (entry_capacity == 0) return NULL;
  size_t mixed = (size_t)entry * 0xBF58476D1CE4E5B9u;
  for (size_t at = mixed ^ (mixed >> 29);; at++) {
    struct entry *found = &entries[at & (entry_capacity - 1)];
    if (found->entry == entry || found->entry == NULL) return found;
  }
}

// Opcodes that Csound recognises by their functions, or never calls.
static int is_left_alone(const OENTRY *entry) {
  static const char *const names[] = {"instr", "endin", "endop", "$label"};
  for (size_t index = 0; index < sizeof names / sizeof *names; index++)
    if (strcmp(entry->opname, names[index]) == 0) return 1;
  return strstr(entry->opname, "rireturn") != NULL;
}

static int grow(void) {
  if (2 * entry_count < entry_capacity) return 1;
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
    if (old[at].entry != NULL) *trace_find_entry(old[at].entry) = old[at];
  free(old);
  return 1;
}

int trace_take_entry(OENTRY *entry) {
  if (is_left_alone(entry)) return 1;
  struct entry *found = trace_find_entry(entry);
  if (found != NULL && found->entry == entry) return 1;
  // A copy of an entry whose functions are replaced already, which a redefinition makes, would call itself.
  if (ENTRY_INIT(entry) == trace_block_initialize || ENTRY_PERFORM(entry) == trace_block_perform) return 1;
  if (!grow()) return 0;
  *trace_find_entry(entry) = (struct entry){entry, ENTRY_INIT(entry), ENTRY_PERFORM(entry)};
  taken_entries[entry_count++] = entry;
  if (ENTRY_INIT(entry) != NULL) ENTRY_INIT(entry) = trace_block_initialize;
  if (ENTRY_PERFORM(entry) != NULL && trace_calls_are_traced) ENTRY_PERFORM(entry) = trace_block_perform;
  return 1;
}

int trace_take_opcodes(void) {
  INSTRTXT **list = trace_engine_traced->GetInstrumentList(trace_engine_traced);
  if (list == NULL) return 1;
  for (INSTRTXT *text = list[0]; text != NULL; text = text->nxtinstxt)
    for (OPTXT *statement = text->nxtop; statement != NULL; statement = statement->nxtop)
      if (statement->t.oentry != NULL && !trace_take_entry(statement->t.oentry)) return 0;
  return 1;
}

void trace_forget_opcodes(void) {
  free(entries);
  free(taken_entries);
  entries = NULL;
  taken_entries = NULL;
  entry_count = entry_capacity = 0;
  trace_calls_are_traced = 1;
}

// ---- Calls

static void functions(const OPDS *block, SUBR *init_function, SUBR *perform_function) {
  if (is_record(block->optext)) {
    *init_function = ((struct record *)block->optext)->initialize;
    *perform_function = ((struct record *)block->optext)->perform;
  } else {
    struct entry *entry = trace_find_entry(block->optext->t.oentry);
    *init_function = entry->initialize;
    *perform_function = entry->perform;
  }
}

static inline struct record *record_of(struct thread *thread, OPDS *block) {
  struct record *record = (struct record *)block->optext;
  if (__builtin_expect(is_record(record) && record->caller == thread->current, 1)) return record;
  SUBR init_function, perform_function;
  functions(block, &init_function, &perform_function);
  return trace_place(thread, block, init_function, perform_function);
}

// Replaces the functions of a block again, if the opcode's own pass has set other ones.
static void take_back(struct thread *thread, OPDS *block, struct record *record) {
  SUBR init_function = record->initialize, perform_function = record->perform;
  if (INIT(block) != NULL && INIT(block) != trace_block_initialize) {
    init_function = INIT(block);
    INIT(block) = trace_block_initialize;
  }
  if (PERFORM(block) != NULL && PERFORM(block) != trace_block_perform) perform_function = PERFORM(block);
  if (init_function != record->initialize || perform_function != record->perform) {
    struct record *caller = thread->current;
    thread->current = record->caller;
    trace_place(thread, block, init_function, perform_function);
    thread->current = caller;
  }
  if (PERFORM(block) != NULL)
    PERFORM(block) = trace_calls_are_traced ? trace_block_perform : perform_function;
}

void trace_let_blocks_call(int is_traced) {
  if (is_traced == trace_calls_are_traced) return;
  trace_calls_are_traced = is_traced;
  for (size_t index = 0; index < entry_count; index++) {
    const struct entry *entry = trace_find_entry(taken_entries[index]);
    if (entry->perform != NULL)
      ENTRY_PERFORM(taken_entries[index]) = is_traced ? trace_block_perform : entry->perform;
  }
  INSTRTXT **list = trace_engine_traced->GetInstrumentList(trace_engine_traced);
  for (INSTRTXT *text = list != NULL ? list[0] : NULL; text != NULL; text = text->nxtinstxt)
    for (INSDS *note = text->instance; note != NULL; note = note->nxtinstance)
      for (OPDS *block = note->nxtp; block != NULL; block = block->nxtp) {
        if (PERFORM(block) == NULL) continue;
        if (is_record(block->optext)) {
          take_back(trace_threads[0], block, (struct record *)block->optext);
        } else {
          const struct entry *entry = trace_find_entry(block->optext->t.oentry);
          if (entry->entry == NULL) continue;
          if (!is_traced && PERFORM(block) == trace_block_perform) PERFORM(block) = entry->perform;
          if (is_traced && PERFORM(block) == entry->perform) PERFORM(block) = trace_block_perform;
        }
      }
}

static inline void begin_cycle(struct record *record) {
  if (record->cycle != trace_cycle) trace_end_cycle_of(record);
}

// Opcodes of another instance begin to run. The time since the last pass is charged to their caller: the opcode that
// runs them, or the engine.
static void enter(struct thread *thread, OPDS *block, int is_init) {
  struct record *current = thread->current;
  int is_note = current == &thread->root;
  if (is_note) trace_leave_instrument(thread);
  if (thread->times || is_init) {
    uint64_t now = cv_counter_in_order();
    uint64_t elapsed = now - thread->last;
    thread->last = now;
    if (is_init) {
      thread->cycle_exact += elapsed;
      if (is_note) thread->starting += elapsed;
      else current->init_ticks += elapsed;
    } else {
      thread->cycle_entries++;
      if (!is_note) {
        begin_cycle(current);
        current->in_cycle.ticks += elapsed;
        current->in_cycle.entries++;
      } else if (thread->has_performed) {
        thread->in_cycle.between_notes += elapsed;
        thread->in_cycle.entries_between++;
      } else {
        thread->in_cycle.before_notes += elapsed;
        thread->in_cycle.entries_before++;
      }
    }
  }
  if (is_note) {
    struct instrument *instrument = trace_find_instrument(block->insdshead);
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

// A user-defined opcode with a local ksmps runs its statements again for the next samples. The time since its last
// statement is its own. After a jump in a note, nothing is charged.
static void begin_again(struct thread *thread) {
  struct record *current = thread->current;
  if (current == &thread->root || thread->next != NULL) return;
  uint64_t now = cv_counter_in_order();
  begin_cycle(current);
  current->in_cycle.ticks += now - thread->last;
  current->in_cycle.repeats++;
  thread->cycle_entries++;
}

static inline struct thread *thread_at_cycle(void) {
  struct thread *thread = trace_this_thread;
  if (__builtin_expect(thread == NULL, 0)) thread = trace_new_thread();
  if (__builtin_expect(thread->cycle != trace_cycle, 0)) trace_begin_thread_cycle(thread);
  return thread;
}

int trace_perform(CSOUND *csound, void *pointer) {
  OPDS *block = pointer;
  struct thread *thread = thread_at_cycle();
  struct record *record = record_of(thread, block);
  if (__builtin_expect(record == NULL, 0)) {
    SUBR init_function, perform_function;
    functions(block, &init_function, &perform_function);
    thread->unrecorded++;
    return perform_function(csound, pointer);
  }
  INSDS *instance = block->insdshead;
  if (thread->instance != instance) enter(thread, block, 0);
  else if (thread->times && thread->next != block) begin_again(thread);
  record->passes++;
  thread->current = record;
  int status;
  if (thread->times) {
    begin_cycle(record);
    uint64_t start = thread->last = cv_counter_in_order();
    status = trace_counts
                 ? count_pass(
                       (size_t)(record - trace_records), 0, record->perform, csound, pointer)
                 : record->perform(csound, pointer);
    uint64_t now = cv_counter_in_order();
    record->in_cycle.passes++;
    record->in_cycle.ticks += now - thread->last;
    thread->last = now;
    thread->next = block->nxtp;
    record->cycle_ticks += now - start;
    record->span_worst = larger(record->span_worst, record->cycle_ticks);
    thread->cycle_passes++;
  } else {
    status = record->perform(csound, pointer);
  }
  thread->current = record->caller;
  thread->instance = instance;
  if (__builtin_expect(PERFORM(block) != trace_block_perform, 0)) take_back(thread, block, record);
  if (__builtin_expect(record->compiles, 0)) trace_take_opcodes();
  return status;
}

// Whether an init pass is part of a note's start. If so, the engine has only started notes since the k-cycle began,
// and the time of that is known even in a k-cycle that is not timed.
static int starts_note(const struct thread *thread, const INSDS *instance) {
  return thread->current == &thread->root && instance->reinitflag == 0 && instance->insno > 0;
}

int trace_initialize(CSOUND *csound, void *pointer) {
  OPDS *block = pointer;
  struct thread *thread = thread_at_cycle();
  struct record *record = record_of(thread, block);
  if (record == NULL) {
    SUBR init_function, perform_function;
    functions(block, &init_function, &perform_function);
    thread->unrecorded++;
    return init_function(csound, pointer);
  }
  INSDS *instance = block->insdshead;
  // Init passes are timed even in k-cycles that are not timed.
  int times = thread->times;
  if (!times && !starts_note(thread, instance)) thread->last = cv_counter_in_order();
  if (thread->instance != instance) enter(thread, block, 1);
  thread->times = 1;
  thread->current = record;
  uint64_t start = cv_counter_in_order();
  thread->cycle_exact += start - thread->last;
  thread->last = start;
  int status = trace_counts
                   ? count_pass(
                         (size_t)(record - trace_records), 1, record->initialize, csound, pointer)
                   : record->initialize(csound, pointer);
  uint64_t now = cv_counter_in_order();
  record->inits++;
  record->init_ticks += now - thread->last;
  thread->cycle_exact += now - thread->last;
  record->worst_init = larger(record->worst_init, now - start);
  thread->last = now;
  thread->times = times;
  thread->current = record->caller;
  thread->instance = instance;
  take_back(thread, block, record);
  if (record->compiles) trace_take_opcodes();
  return status;
}
