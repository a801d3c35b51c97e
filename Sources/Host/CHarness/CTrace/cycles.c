#define _GNU_SOURCE
#include <sys/resource.h>

#include "trace.h"

uint64_t trace_cycle, trace_beside;
int trace_times_cycle;
static uint64_t timed_cycles;

static uint64_t cycle_start;
static struct trace_load load;
static struct trace_stretch stretches[most_stretches];
static size_t stretch_count = 1, cycles_per_stretch = 1;

// ---- Spans

// A span is the k-cycles between two checks whether the system has interrupted the thread (an
// involuntary context switch). Measurements in a disturbed span are discarded.
uint64_t trace_span = 1;
static uint64_t span_start;
static struct {
  uint64_t cycles, ticks, worst, worst_cycle, late_cycles;
  double largest_backlog;
  struct cycle_sums sums[kinds];
} in_span;
static double backlog, backlog_before_span;
static long interruptions;
enum { remembered_spans = 1 << 16, shortest_span = 60000 };
static uint64_t disturbed_spans[remembered_spans];

int trace_was_disturbed(uint64_t number) {
  return disturbed_spans[number % remembered_spans] == number;
}

// ---- Checks at the end of a span

static void add_times(struct engine_times *times, const struct engine_times *more) {
  times->before_notes += more->before_notes;
  times->between_notes += more->between_notes;
  times->after_notes += more->after_notes;
  times->entries_before += more->entries_before;
  times->entries_between += more->entries_between;
}

static void look_first(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  interruptions = usage.ru_nivcsw;
  span_start = cv_counter();
}

// Ends a span: adds its measurements to the sums, unless the span was disturbed.
static void look(uint64_t now) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  // Context switches do not count with -j, whose threads take turns. If more than 90 % of the
  // k-cycles were disturbed so far, the span is used all the same.
  int is_disturbed = usage.ru_nivcsw != interruptions && trace_thread_count <= 1 &&
                     load.disturbed_cycles <= 9 * (load.cycles - load.disturbed_cycles);
  interruptions = usage.ru_nivcsw;
  struct trace_stretch *stretch = &stretches[stretch_count - 1];
  if (is_disturbed) {
    disturbed_spans[trace_span % remembered_spans] = trace_span;
    load.disturbed_cycles += in_span.cycles;
    // Disturbed k-cycles are treated as if they had been in time.
    backlog = backlog_before_span;
  } else {
    if (in_span.worst > load.worst) {
      load.worst = in_span.worst;
      load.worst_cycle = in_span.worst_cycle;
    }
    load.ticks += in_span.ticks;
    load.late_cycles += in_span.late_cycles;
    if (in_span.largest_backlog > load.largest_backlog)
      load.largest_backlog = in_span.largest_backlog;
    stretch->calm_cycles += in_span.cycles;
    stretch->ticks += in_span.ticks;
    stretch->worst = larger(stretch->worst, in_span.worst);
    stretch->late_cycles += in_span.late_cycles;
    for (size_t kind = 0; kind < kinds; kind++)
      stretch->timed_cycles += in_span.sums[kind].timed;
    trace_add_to_stratum(in_span.sums);
  }
  memset(&in_span, 0, sizeof in_span);
  backlog_before_span = backlog;
  for (size_t index = 0; index < trace_thread_count; index++) {
    struct thread *thread = trace_threads[index];
    for (size_t kind = 0; kind < kinds && !is_disturbed; kind++)
      add_times(&thread->in_stratum[kind], &thread->in_span[kind]);
    memset(thread->in_span, 0, sizeof thread->in_span);
  }
  for (size_t index = 0; index < trace_instrument_count; index++) {
    struct instrument *instrument = &trace_instrument_list[index];
    if (!is_disturbed) {
      instrument->stretches[stretch_count - 1] += instrument->span_ticks;
      instrument->worst = larger(instrument->worst, instrument->span_worst);
    }
    instrument->span_ticks = instrument->span_worst = 0;
  }
  if (trace_engine_traced != NULL)
    stretch->most_notes = larger(stretch->most_notes, trace_count_notes());
  trace_span++;
  span_start = now;
}

static void merge_stretches(void) {
  for (size_t index = 0; index < most_stretches / 2; index++) {
    struct trace_stretch a = stretches[2 * index], b = stretches[2 * index + 1];
    stretches[index] = (struct trace_stretch){
        a.cycles + b.cycles, a.calm_cycles + b.calm_cycles, a.timed_cycles + b.timed_cycles,
        a.ticks + b.ticks, larger(a.worst, b.worst), a.late_cycles + b.late_cycles,
        larger(a.most_notes, b.most_notes)};
  }
  memset(&stretches[most_stretches / 2], 0, most_stretches / 2 * sizeof *stretches);
  for (size_t number = 0; number < trace_instrument_count; number++) {
    uint64_t *ticks = trace_instrument_list[number].stretches;
    for (size_t index = 0; index < most_stretches / 2; index++)
      ticks[index] = ticks[2 * index] + ticks[2 * index + 1];
    memset(&ticks[most_stretches / 2], 0, most_stretches / 2 * sizeof *ticks);
  }
  stretch_count = most_stretches / 2;
  cycles_per_stretch *= 2;
}

// ---- Around each k-cycle

void trace_begin_cycle(void) {
  trace_cycle++;
  if (trace_engine_traced != NULL) {
    struct thread *thread = trace_this_thread != NULL ? trace_this_thread : trace_new_thread();
    uint64_t start = cv_counter();
    if (trace_has_variants) trace_begin_varied_cycle();
    else trace_draw_cycle();
    trace_beside += cv_counter() - start;
    trace_begin_thread_cycle(thread);
    // The engine's work before its first k-cycle belongs to no k-cycle.
    if (trace_cycle == 1) {
      thread->in_cycle = (struct engine_times){0};
      thread->recording = thread->starting = 0;
    }
  }
  if (trace_cycle == 1) look_first();
  cycle_start = cv_counter_in_order();
  if (trace_engine_traced != NULL) trace_this_thread->last = cycle_start;
}

static void end_traced_cycle(uint64_t now, uint64_t elapsed) {
  struct thread *thread = trace_this_thread;
  uint64_t sampled = elapsed - thread->cycle_exact;
  if (trace_has_variants) {
    trace_end_varied_cycle(sampled);
    return;
  }
  struct cycle_sums sums = {0};
  if (thread->times) {
    thread->in_cycle.after_notes += now - thread->last;
    sums = (struct cycle_sums){
        .timed = 1, .timed_ticks = sampled, .timed_passes = thread->cycle_passes,
        .timed_entries = thread->cycle_entries};
  } else if (!trace_is_drawn()) {
    sums = (struct cycle_sums){.plain = 1, .plain_ticks = sampled};
  }
  size_t kind = trace_tell_kind((double)sampled - trace_tracing_ticks(&sums));
  trace_add_sums(&in_span.sums[kind], &sums);
  trace_count_in_stratum(thread->times);
  for (size_t index = 0; index < trace_thread_count; index++) {
    struct thread *other = trace_threads[index];
    trace_leave_instrument(other);
    add_times(&other->in_span[kind], &other->in_cycle);
    other->in_cycle = (struct engine_times){0};
  }
  for (size_t index = 0; index < trace_instrument_count; index++) {
    struct instrument *instrument = &trace_instrument_list[index];
    instrument->span_worst = larger(instrument->span_worst, instrument->ticks);
    instrument->span_ticks += instrument->ticks;
    instrument->all_ticks += instrument->ticks;
    instrument->ticks = 0;
  }
  timed_cycles += thread->times != 0;
}

uint64_t trace_shares(struct trace_share *shares, size_t capacity, size_t *count) {
  *count = 0;
  for (size_t index = 0; index < trace_instrument_count && *count < capacity; index++) {
    const struct instrument *instrument = &trace_instrument_list[index];
    if (instrument->all_ticks > 0)
      shares[(*count)++] =
          (struct trace_share){instrument->name, instrument->number, instrument->all_ticks};
  }
  return timed_cycles;
}

void trace_end_cycle(double ticks_per_cycle) {
  uint64_t now = cv_counter_in_order();
  uint64_t elapsed = now - cycle_start;
  if (trace_engine_traced != NULL) end_traced_cycle(now, elapsed);
  int ends_stretch = ++stretches[stretch_count - 1].cycles == cycles_per_stretch;
  in_span.cycles++;
  in_span.ticks += elapsed;
  if (elapsed > in_span.worst) {
    in_span.worst = elapsed;
    in_span.worst_cycle = load.cycles;
  }
  if ((double)elapsed > ticks_per_cycle) in_span.late_cycles++;
  backlog += (double)elapsed - ticks_per_cycle;
  if (backlog < 0) backlog = 0;
  if (backlog > in_span.largest_backlog) in_span.largest_backlog = backlog;
  load.cycles++;
  int ends_stratum = trace_engine_traced != NULL && trace_ends_stratum();
  if (ends_stratum || ends_stretch || now - span_start > shortest_span) look(now);
  if (ends_stretch) {
    if (stretch_count == most_stretches) merge_stretches();
    stretch_count++;
  }
  if (ends_stratum) {
    uint64_t start = cv_counter();
    trace_weigh_stratum();
    trace_beside += cv_counter() - start;
  }
}

void trace_forget_cycles(void) {
  trace_forget_strata();
  trace_forget_kinds();
  memset(&in_span, 0, sizeof in_span);
  memset(stretches, 0, sizeof stretches);
  memset(disturbed_spans, 0, sizeof disturbed_spans);
  load = (struct trace_load){0};
  backlog = backlog_before_span = 0;
  trace_cycle = trace_beside = timed_cycles = 0;
  trace_span = 1;
  stretch_count = cycles_per_stretch = 1;
}

// ---- Results

void trace_finish(void) {
  if (in_span.cycles > 0) look(cv_counter());
  trace_finish_strata();
}

struct trace_load trace_load(void) { return load; }
size_t trace_cycles_per_stretch(void) { return cycles_per_stretch; }
size_t trace_stretches(const struct trace_stretch **result) {
  if (result != NULL) *result = stretches;
  return stretch_count - (stretches[stretch_count - 1].cycles == 0);
}

struct trace_engine trace_engine(void) {
  struct trace_engine result = {.threads = trace_thread_count};
  for (size_t index = 0; index < trace_thread_count; index++) {
    const struct thread *thread = trace_threads[index];
    if (index == 0) {
      result.estimate = thread->estimate;
      result.starting = thread->starting;
      result.recording = thread->recording;
    }
    result.unrecorded += thread->unrecorded;
  }
  return result;
}
