#include "count.h"
#include "trace.h"

CSOUND *trace_engine_traced;
SUBR trace_block_perform = trace_perform, trace_block_initialize = trace_initialize;
int trace_counts;

uint64_t trace_now(void) { return __rdtsc(); }

void trace_reset(void) {
  trace_engine_traced = NULL;
  trace_counts = 0;
  trace_block_perform = trace_perform;
  trace_block_initialize = trace_initialize;
  trace_forget_records();
  trace_forget_opcodes();
  trace_forget_instruments();
  trace_forget_cycles();
  for (size_t index = 0; index < trace_thread_count; index++) {
    struct thread *thread = trace_threads[index];
    free(thread->table);
    *thread = (struct thread){.number = thread->number, .cycle = UINT64_MAX};
    thread->current = &thread->root;
  }
}

int trace_attach(void *engine, double share, int counts) {
  struct trace_cost cost = trace_measure_cost();
  if (!trace_allocate_records()) return -1;
  if (counts) {
    trace_counts = 1;
    trace_block_perform = trace_counted_perform;
    trace_block_initialize = trace_counted_initialize;
  }
  trace_engine_traced = engine;
  trace_begin_cycles(share, cost);
  return trace_remember_instruments() && trace_take_opcodes() ? 0 : -1;
}

// ---- What it costs

static int nothing(CSOUND *csound, void *block) {
  (void)csound;
  (void)block;
  return 0;
}

// The fewest ticks a pass takes, over many rounds of the loop in which Csound performs a note.
static double ticks_per_pass(OPDS *blocks, size_t count, int is_traced) {
  uint64_t fewest = UINT64_MAX;
  for (int round = 0; round < 400; round++) {
    trace_cycle++;
    trace_times_cycle = is_traced;
    if (is_traced) trace_begin_thread_cycle(trace_this_thread);
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
  if (!trace_allocate_records()) return cost;
  if (trace_this_thread == NULL) trace_new_thread();
  entry = (OENTRY){.opname = "nothing", .kopadr = nothing};
  for (size_t index = 0; index < count; index++) {
    statements[index] = (OPTXT){.t = {.oentry = &entry}};
    blocks[index] = (OPDS){
        .nxtp = index + 1 < count ? &blocks[index + 1] : NULL,
        .opadr = nothing,
        .optext = &statements[index],
        .insdshead = &instance};
  }
  double alone = ticks_per_pass(blocks, count, 0);
  if (trace_take_entry(&entry)) {
    for (size_t index = 0; index < count; index++) blocks[index].opadr = trace_perform;
    cost.timed_pass = ticks_per_pass(blocks, count, 1) - alone;
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
