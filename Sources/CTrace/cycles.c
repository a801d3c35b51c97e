#define _GNU_SOURCE
#include <sys/resource.h>

#include "trace.h"

uint64_t trace_cycle;
int trace_times_cycle;

static uint64_t cycle_start;
static struct trace_load load;
static struct trace_stretch stretches[most_stretches];
static size_t stretch_count = 1, cycles_per_stretch = 1;

// k-cycles whose opcode calls are timed, and those in which they are not even traced; what was timed
// apart, the notes' starts, is not in their ticks.
struct cycle_sums {
  uint64_t timed, timed_ticks, timed_passes, extra_readings;
  uint64_t plain, plain_ticks;
};

static void add(struct cycle_sums *sums, const struct cycle_sums *more) {
  sums->timed += more->timed;
  sums->timed_ticks += more->timed_ticks;
  sums->timed_passes += more->timed_passes;
  sums->extra_readings += more->extra_readings;
  sums->plain += more->plain;
  sums->plain_ticks += more->plain_ticks;
}

// ---- Spans

// k-cycles between two looks at whether the system took the processor away meanwhile. What was
// measured in a span that was disturbed is left out.
uint64_t trace_span = 1;
static uint64_t span_start;
static struct {
  uint64_t cycles, ticks, worst, worst_cycle, late_cycles;
  double largest_backlog;
  struct cycle_sums sums;
} in_span;
static double backlog, backlog_before_span;
static long interruptions;
enum { remembered_spans = 1 << 16, shortest_span = 60000 };
static uint64_t disturbed_spans[remembered_spans];

int trace_was_disturbed(uint64_t number) {
  return disturbed_spans[number % remembered_spans] == number;
}

// ---- Strata

// A stratum is a number of k-cycles one after another, of which some are drawn for timing, in runs; all
// in it are equally likely, so that what the timed ones took tells what all of them would. How many
// are drawn may differ from stratum to stratum.
enum { run_length = 32, most_runs = 32 };
static struct {
  uint64_t cycles, size;
  size_t runs_left, drawn_left;
  uint64_t run_left;
  int is_drawn, is_warm;
  struct cycle_sums sums;
} stratum;
static size_t runs_per_stratum;
static uint64_t drawn_cycles;
static double share;
static struct trace_cost cost;
static uint64_t random_state;
static struct trace_cycles estimate;
static uint64_t beside;
// Of the strata so far, what timed k-cycles took beyond plain ones, and how many passes they had.
static double excess_ticks, excess_passes;

static double random_number(void) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return (double)(random_state >> 11) * 0x1p-53;
}

// What timing takes a pass, as far as the strata tell; 0 when they do not yet.
static double pass_cost(void) { return excess_passes > 0 ? excess_ticks / excess_passes : 0; }

// How many of the next stratum's runs may be timed, by what timing took in the last one.
static size_t affordable_runs(void) {
  const struct cycle_sums *sums = &stratum.sums;
  if (sums->timed == 0 || stratum.size == 1) return 1;
  double timed = (double)sums->timed_ticks / (double)sums->timed;
  double passes = (double)sums->timed_passes / (double)sums->timed;
  double spent = passes * (pass_cost() > cost.timed_pass ? pass_cost() : cost.timed_pass);
  double own = timed > spent ? timed - spent : 0;
  if (sums->plain > 0) own = (double)sums->plain_ticks / (double)sums->plain;
  // Some are always left plain, to tell what timing takes.
  double most = (double)runs_per_stratum * 7 / 8;
  double runs = share * own < spent ? share * own / spent * (double)runs_per_stratum : most;
  return runs < 1 ? 1 : (size_t)(runs < most ? runs : most);
}

static void begin_stratum(void) {
  int is_first = runs_per_stratum == 0;
  // The first k-cycle is unlike the others. The strata after it grow.
  runs_per_stratum = is_first ? 1 : runs_per_stratum < 8 ? 8 : most_runs;
  stratum.drawn_left = is_first || share == 0 ? runs_per_stratum : affordable_runs();
  stratum.runs_left = runs_per_stratum;
  stratum.run_left = 0;
  stratum.size = is_first ? 1 : runs_per_stratum * run_length;
  stratum.is_warm = stratum.is_drawn;
  stratum.cycles = 0;
  stratum.sums = (struct cycle_sums){0};
}

// What the k-cycles of a stratum took, by those of them that were timed or plain.
static void weigh_stratum(void) {
  const struct cycle_sums *sums = &stratum.sums;
  // Without a timed one left in peace, the stratum goes on.
  if (sums->timed == 0) {
    stratum.runs_left = runs_per_stratum;
    stratum.size += runs_per_stratum * run_length;
    stratum.drawn_left = share == 0 ? runs_per_stratum : 1;
    return;
  }
  double all = (double)stratum.cycles, timed = (double)sums->timed, plain = (double)sums->plain;
  double weight = all / timed;
  trace_weigh_records(weight);
  for (size_t index = 0; index < trace_thread_count; index++) {
    struct thread *thread = trace_threads[index];
    thread->estimate.before_notes += weight * (double)thread->in_stratum.before_notes;
    thread->estimate.between_notes += weight * (double)thread->in_stratum.between_notes;
    thread->estimate.after_notes += weight * (double)thread->in_stratum.after_notes;
    thread->in_stratum = (struct engine_times){0, 0, 0};
  }
  estimate.cycles += stratum.cycles;
  estimate.timed += sums->timed;
  estimate.timed_ticks += (double)sums->timed_ticks;
  if (plain > 0) {
    double precision = timed * plain / (timed + plain);
    double readings = (double)sums->extra_readings * cost.extra_reading;
    excess_ticks += precision * (((double)sums->timed_ticks - readings) / timed -
                                 (double)sums->plain_ticks / plain);
    excess_passes += precision * (double)sums->timed_passes / timed;
    estimate.plain += sums->plain;
    estimate.ticks += all / plain * (double)sums->plain_ticks;
  } else {
    estimate.ticks += weight * (double)sums->timed_ticks;
    estimate.passes += weight * (double)sums->timed_passes;
    estimate.extra_readings += weight * (double)sums->extra_readings;
  }
  begin_stratum();
}

// Whether the next k-cycle's calls are traced, and whether they are timed.
static void draw(void) {
  if (stratum.run_left == 0) {
    stratum.is_drawn = random_number() * (double)stratum.runs_left < (double)stratum.drawn_left;
    stratum.drawn_left -= (size_t)stratum.is_drawn;
    stratum.runs_left--;
    stratum.run_left = run_length;
    if (!stratum.is_drawn) stratum.is_warm = 0;
  }
  stratum.run_left--;
  // The first of a run finds cold caches and is not timed.
  trace_times_cycle = stratum.is_drawn && (stratum.is_warm || stratum.size == 1 || share == 0);
  stratum.is_warm = stratum.is_drawn;
  trace_let_blocks_call(stratum.is_drawn);
}

// ---- Looks

static void look_first(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  interruptions = usage.ru_nivcsw;
  span_start = __rdtsc();
}

// Adds what was measured since the last look, unless the system took the processor away.
static void look(uint64_t now) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  // The threads of -j take turns; and where hardly a span is calm, all are taken.
  int is_disturbed = usage.ru_nivcsw != interruptions && trace_thread_count <= 1 &&
                     load.disturbed_cycles <= 9 * (load.cycles - load.disturbed_cycles);
  interruptions = usage.ru_nivcsw;
  struct trace_stretch *stretch = &stretches[stretch_count - 1];
  if (is_disturbed) {
    disturbed_spans[trace_span % remembered_spans] = trace_span;
    load.disturbed_cycles += in_span.cycles;
    // A k-cycle that was disturbed is taken for one in time.
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
    stretch->timed_cycles += in_span.sums.timed;
    add(&stratum.sums, &in_span.sums);
  }
  memset(&in_span, 0, sizeof in_span);
  backlog_before_span = backlog;
  for (size_t index = 0; index < trace_thread_count; index++) {
    struct thread *thread = trace_threads[index];
    if (!is_disturbed) {
      thread->in_stratum.before_notes += thread->in_span.before_notes;
      thread->in_stratum.between_notes += thread->in_span.between_notes;
      thread->in_stratum.after_notes += thread->in_span.after_notes;
    }
    thread->in_span = (struct engine_times){0, 0, 0};
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
    uint64_t start = __rdtsc();
    draw();
    beside += __rdtsc() - start;
    trace_begin_thread_cycle(thread);
    // What the engine did before its first k-cycle is not part of any.
    if (trace_cycle == 1) {
      thread->in_span = (struct engine_times){0, 0, 0};
      thread->recording = thread->starting = 0;
    }
  }
  if (trace_cycle == 1) look_first();
  cycle_start = __rdtsc();
  if (trace_engine_traced != NULL) trace_this_thread->last = cycle_start;
}

static void end_traced_cycle(uint64_t now, uint64_t elapsed) {
  struct thread *thread = trace_this_thread;
  struct cycle_sums *sums = &in_span.sums;
  uint64_t sampled = elapsed - thread->cycle_exact;
  if (thread->times) {
    thread->in_span.after_notes += now - thread->last;
    drawn_cycles++;
    sums->timed++;
    sums->timed_ticks += sampled;
    sums->timed_passes += thread->cycle_passes;
    sums->extra_readings += thread->cycle_extra_readings;
  } else if (!stratum.is_drawn) {
    sums->plain++;
    sums->plain_ticks += sampled;
  }
  stratum.cycles++;
  for (size_t index = 0; index < trace_thread_count; index++)
    trace_leave_instrument(trace_threads[index]);
  for (size_t index = 0; index < trace_instrument_count; index++) {
    struct instrument *instrument = &trace_instrument_list[index];
    instrument->span_worst = larger(instrument->span_worst, instrument->ticks);
    instrument->span_ticks += instrument->ticks;
    instrument->ticks = 0;
  }
}

void trace_end_cycle(double ticks_per_cycle) {
  uint64_t now = __rdtsc();
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
  int ends_stratum = trace_engine_traced != NULL && stratum.cycles == stratum.size;
  if (ends_stratum || ends_stretch || now - span_start > shortest_span) look(now);
  if (ends_stretch) {
    if (stretch_count == most_stretches) merge_stretches();
    stretch_count++;
  }
  if (ends_stratum) {
    uint64_t start = __rdtsc();
    weigh_stratum();
    beside += __rdtsc() - start;
  }
}

void trace_begin_cycles(double largest_share, struct trace_cost measured) {
  share = largest_share;
  cost = measured;
  random_state = 0x9E3779B97F4A7C15u;
  trace_times_cycle = 1;
  begin_stratum();
}

void trace_forget_cycles(void) {
  memset(&stratum, 0, sizeof stratum);
  memset(&in_span, 0, sizeof in_span);
  memset(stretches, 0, sizeof stretches);
  memset(disturbed_spans, 0, sizeof disturbed_spans);
  load = (struct trace_load){0};
  estimate = (struct trace_cycles){0};
  backlog = backlog_before_span = excess_ticks = excess_passes = 0;
  trace_cycle = drawn_cycles = beside = 0;
  trace_span = 1;
  runs_per_stratum = 0;
  stretch_count = cycles_per_stretch = 1;
}

// ---- Results

void trace_finish(void) {
  if (in_span.cycles > 0) look(__rdtsc());
  if (stratum.cycles > 0) weigh_stratum();
}

struct trace_load trace_load(void) { return load; }
size_t trace_cycles_per_stretch(void) { return cycles_per_stretch; }
size_t trace_stretches(const struct trace_stretch **result) {
  if (result != NULL) *result = stretches;
  return stretch_count - (stretches[stretch_count - 1].cycles == 0);
}

struct trace_cycles trace_cycles(void) {
  struct trace_cycles result = estimate;
  result.drawn = drawn_cycles;
  result.pass_cost = pass_cost();
  result.beside = beside;
  return result;
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
