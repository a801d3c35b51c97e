#include "count.h"
#include "trace.h"

CSOUND *trace_engine_traced;
SUBR trace_block_perform = trace_perform, trace_block_initialize = trace_initialize;
int trace_counts;

uint64_t trace_now(void) { return cv_counter(); }

void trace_reset(void) {
  trace_engine_traced = NULL;
  trace_counts = 0;
  trace_block_perform = trace_perform;
  trace_block_initialize = trace_initialize;
  trace_forget_records();
  trace_forget_opcodes();
  trace_forget_instruments();
  trace_forget_cycles();
  trace_forget_variants();
  for (size_t index = 0; index < trace_thread_count; index++) {
    struct thread *thread = trace_threads[index];
    free(thread->table);
    *thread = (struct thread){.number = thread->number, .cycle = UINT64_MAX};
    thread->current = &thread->root;
  }
}

int trace_attach(void *engine, double share, uint64_t seed, int counts) {
  struct trace_cost cost = trace_measure_cost();
  if (!trace_allocate_records()) return -1;
  if (counts) {
    trace_counts = 1;
    trace_block_perform = trace_counted_perform;
    trace_block_initialize = trace_counted_initialize;
  }
  trace_engine_traced = engine;
  trace_begin_strata(share, seed, cost);
  return trace_remember_instruments() && trace_take_opcodes() ? 0 : -1;
}

// ---- The overhead of tracing

static int nothing(CSOUND *csound, void *block) {
  (void)csound;
  (void)block;
  return 0;
}

// Notes with opcodes that do nothing.
enum { note_count = 16, passes_per_note = 4, pass_count = note_count * passes_per_note };
static struct idle_note {
  INSDS instance;
  OPDS blocks[passes_per_note];
} notes[note_count];
static OPTXT statements[pass_count];
static OENTRY idle_entry;

static void make_notes(void) {
  idle_entry = (OENTRY){.opname = "nothing"};
  *ccs_entry_perform(&idle_entry) = nothing;
  for (size_t index = 0; index < pass_count; index++) {
    struct idle_note *note = &notes[index / passes_per_note];
    OPDS *block = &note->blocks[index % passes_per_note];
    statements[index] = (OPTXT){.t = {.oentry = &idle_entry}};
    *block = (OPDS){
        .nxtp = (index + 1) % passes_per_note != 0 ? block + 1 : NULL,
        .optext = &statements[index],
        .insdshead = &note->instance};
    *ccs_block_perform(block) = nothing;
  }
}

static void perform_note(struct idle_note *note) {
  for (OPDS *block = note->blocks; block != NULL;) {
    block->insdshead->pds = block;
    (*ccs_block_perform(block))(NULL, block);
    block = block->insdshead->pds->nxtp;
  }
}

// Performs the notes as Csound does, and returns the elapsed ticks.
static uint64_t perform_notes(void) {
  uint64_t start = cv_counter_in_order();
  for (size_t number = 0; number < note_count; number++) perform_note(&notes[number]);
  return cv_counter_in_order() - start;
}

static uint64_t smaller(uint64_t a, uint64_t b) { return a < b ? a : b; }

// Each cost follows from the minimum of many rounds: the ticks of all passes without and with
// tracing, and the ticks that tracing attributes to passes and to the time between notes.
struct trace_cost trace_measure_cost(void) {
  enum { rounds = 400 };
  trace_reset();
  struct trace_cost cost = {0, 0, 0, 0};
  if (!trace_allocate_records()) return cost;
  if (trace_this_thread == NULL) trace_new_thread();
  make_notes();
  uint64_t alone = UINT64_MAX;
  for (int round = 0; round < rounds; round++) alone = smaller(alone, perform_notes());
  if (trace_take_entry(&idle_entry)) {
    for (size_t index = 0; index < pass_count; index++)
      *ccs_block_perform(&notes[index / passes_per_note].blocks[index % passes_per_note]) = trace_perform;
    trace_times_cycle = 1;
    uint64_t whole = UINT64_MAX, passes = UINT64_MAX, between = UINT64_MAX;
    for (int round = 0; round < rounds; round++) {
      trace_cycle++;
      trace_begin_thread_cycle(trace_this_thread);
      trace_this_thread->in_cycle = (struct engine_times){0};
      whole = smaller(whole, perform_notes());
      uint64_t ticks = 0;
      for (size_t index = 0; index < trace_record_count; index++) {
        ticks += trace_records[index].in_cycle.ticks;
        trace_records[index].in_cycle = (struct pass_sums){0};
      }
      passes = smaller(passes, ticks);
      between = smaller(between, trace_this_thread->in_cycle.between_notes);
    }
    // One of the notes repeatedly, as if it were the body of a user-defined opcode.
    struct record *caller = &trace_records[most_records - 1];
    uint64_t again = UINT64_MAX;
    for (int round = 0; round < rounds; round++) {
      trace_this_thread->current = caller;
      perform_note(&notes[0]);
      caller->in_cycle = (struct pass_sums){0};
      for (size_t number = 0; number < note_count; number++) perform_note(&notes[0]);
      again = smaller(again, caller->in_cycle.ticks);
    }
    memset(caller, 0, sizeof *caller);
    cost.repeating = (double)again / note_count;
    cost.pass = ((double)passes - (double)alone) / pass_count;
    cost.entering = (double)between / (note_count - 1);
    cost.whole = ((double)whole - (double)alone - (double)between) / pass_count;
  }
  trace_reset();
  return cost;
}
