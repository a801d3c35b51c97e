#define _GNU_SOURCE
#include <math.h>
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
  uint64_t timed, timed_ticks, timed_passes, timed_entries;
  uint64_t plain, plain_ticks;
};

static void add(struct cycle_sums *sums, const struct cycle_sums *more) {
  sums->timed += more->timed;
  sums->timed_ticks += more->timed_ticks;
  sums->timed_passes += more->timed_passes;
  sums->timed_entries += more->timed_entries;
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
  struct cycle_sums sums[kinds];
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
// are drawn may differ from stratum to stratum, and where the runs begin: what happens in every 16th
// k-cycle would else always be the first of its run, or never.
enum { run_length = 32, most_runs = 64 };
static struct {
  uint64_t cycles, size;
  size_t runs_left, drawn_left;
  uint64_t run_left, first_run_length;
  int is_drawn, is_warm;
  struct cycle_sums sums[kinds];
} stratum;
static size_t runs_per_stratum;
static uint64_t drawn_cycles;
static double share;
static struct trace_cost cost;
static uint64_t random_state;
static struct trace_cycles estimate;
static uint64_t beside;
// ---- Kinds of k-cycles

// A few k-cycles may take most of the time: those in which spectra are computed, or notes come in
// swarms. How many of them are timed is chance; how many there are is known, since every k-cycle's length
// is, so that the timed ones of each kind stand for all of that kind. What is usual follows the median.
static double usual_ticks;
enum { remembered_cycles = 1 << 12 };
static uint8_t kind_of_cycle[remembered_cycles];

size_t trace_kind(uint64_t cycle) { return kind_of_cycle[cycle % remembered_cycles]; }

static size_t tell_kind(double ticks) {
  if (usual_ticks == 0) usual_ticks = ticks;
  usual_ticks *= ticks > usual_ticks ? 1 + 1.0 / 64 : 1 - 1.0 / 64;
  static const double bounds[kinds - 1] = {2, 8, 64, 512};
  size_t kind = 0;
  while (kind < kinds - 1 && ticks >= bounds[kind] * usual_ticks) kind++;
  return kind_of_cycle[trace_cycle % remembered_cycles] = (uint8_t)kind;
}

// k-cycles of a kind, in strata that are over, for which none was timed yet to stand for.
static double waiting[kinds];

// What timed k-cycles of a stratum took beyond plain ones, over what tracing takes of them where opcodes
// do nothing: sums over the strata so far, each weighed by how much it tells.
static struct {
  double weights, factors, squares;
  uint64_t count;
} excess;

// Of the strata so far: what their timed k-cycles took, tracing subtracted; how much that changed from
// one to the next, squared; and the last one.
static struct {
  double all_ticks, squared_changes, ticks;
  uint64_t count, comparisons, compared_cycles, size;
} strata;

// Half of the mean square of what changes from one stratum to the next is the variance of one, for
// what the piece itself changes is seldom: where it is not, the error is overestimated. What one part
// takes and what all take vary together, for they are of the same k-cycles.
double trace_sampling_error(const struct record *record) {
  if (estimate.timed == estimate.cycles) return 0;
  if (strata.comparisons < 3 || strata.all_ticks <= 0) return -1;
  double all = strata.all_ticks;
  double part = (record->estimate.ticks - record->estimate.tracing) / all;
  double squares = record->squared_changes - 2 * part * record->common_changes +
                   part * part * strata.squared_changes;
  double cycles = (double)estimate.cycles, compared = (double)strata.compared_cycles;
  double untimed = 1 - (double)estimate.timed / cycles;
  return squares > 0 ? sqrt(squares / 2 * cycles / compared * untimed) / all : 0;
}

static double random_number(void) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return (double)(random_state >> 11) * 0x1p-53;
}

// What tracing takes over what it takes where opcodes do nothing. Where strata differ much, because a
// few k-cycles take most of the time and chance has it how many are timed, they tell little: then
// it is taken to be near 1.
static double tracing_factor(void) {
  const double expected_variance = 0.25;
  if (excess.count < 3) return 1;
  double mean = excess.factors / excess.weights;
  double scatter = excess.squares / excess.weights - mean * mean;
  double variance = scatter > 0 ? scatter / (double)(excess.count - 1) : 0;
  double factor =
      (mean * expected_variance + variance) / (expected_variance + variance);
  return factor < 0.5 ? 0.5 : factor > 4 ? 4 : factor;
}

// What tracing takes of timed k-cycles where opcodes do nothing. Each body entered has a first pass.
static double tracing(const struct cycle_sums *sums) {
  return (double)sums->timed_passes * cost.pass +
         (double)sums->timed_entries * (cost.entering + cost.first_pass - cost.pass);
}

static struct cycle_sums all_kinds(void) {
  struct cycle_sums all = {0};
  for (size_t kind = 0; kind < kinds; kind++) add(&all, &stratum.sums[kind]);
  return all;
}

// How many of the next stratum's runs may be timed, by what timing took in the last one.
static size_t affordable_runs(void) {
  const struct cycle_sums all = all_kinds(), *sums = &all;
  if (sums->timed == 0 || stratum.size == 1) return 1;
  double timed = (double)sums->timed_ticks / (double)sums->timed;
  double spent = tracing(sums) / (double)sums->timed;
  if (tracing_factor() > 1) spent *= tracing_factor();
  double own = timed > spent ? timed - spent : 0;
  if (sums->plain > 0) own = (double)sums->plain_ticks / (double)sums->plain;
  // Some are always left plain, to tell what timing takes.
  double most = (double)runs_per_stratum * 7 / 8;
  double runs = share * own < spent ? share * own / spent * (double)runs_per_stratum : most;
  return runs < 1 ? 1 : (size_t)(runs < most ? runs : most);
}

static void begin_stratum(void) {
  int is_first = runs_per_stratum == 0;
  // The first k-cycle is unlike the others. The strata after it grow: a short piece has several all the
  // same, in a long one with many calls a smaller part is drawn.
  runs_per_stratum = is_first ? 1 : strata.count < 2 ? 8 : strata.count < 6 ? 32 : most_runs;
  // The first run is cut off at a random place, and one more gets the rest.
  stratum.first_run_length = is_first ? 1 : 1 + (uint64_t)(random_number() * run_length);
  stratum.runs_left = runs_per_stratum + (stratum.first_run_length < run_length && !is_first);
  stratum.drawn_left = is_first || share == 0 ? stratum.runs_left : affordable_runs();
  stratum.run_left = 0;
  stratum.size = is_first ? 1 : runs_per_stratum * run_length;
  stratum.is_warm = stratum.is_drawn;
  stratum.cycles = 0;
  memset(stratum.sums, 0, sizeof stratum.sums);
}

// By what timed k-cycles of the usual kind took beyond plain ones.
static void add_excess(const struct cycle_sums *sums) {
  double idle = tracing(sums);
  if (sums->timed == 0 || sums->plain == 0 || idle <= 0) return;
  double timed = (double)sums->timed, plain = (double)sums->plain;
  double beyond = (double)sums->timed_ticks / timed - (double)sums->plain_ticks / plain;
  idle /= timed;
  double telling = timed * plain / (timed + plain) * idle * idle;
  excess.weights += telling;
  excess.factors += telling * beyond / idle;
  excess.squares += telling * (beyond / idle) * (beyond / idle);
  excess.count++;
}

static void weigh_engine(struct thread *thread, const double *weights) {
  struct trace_engine_times *sums = &thread->estimate;
  for (size_t kind = 0; kind < kinds; kind++) {
    const struct engine_times *times = &thread->in_stratum[kind];
    sums->before_notes += weights[kind] * (double)times->before_notes;
    sums->between_notes += weights[kind] * (double)times->between_notes;
    sums->after_notes += weights[kind] * (double)times->after_notes;
    sums->tracing_before += weights[kind] * (double)times->entries_before * cost.entering;
    sums->tracing_between += weights[kind] * (double)times->entries_between * cost.entering;
  }
  memset(thread->in_stratum, 0, sizeof thread->in_stratum);
}

// What the k-cycles of a stratum took, by those of them that were timed or plain.
static void weigh_stratum(void) {
  const struct cycle_sums sums = all_kinds();
  // Without a timed one left in peace, the stratum goes on.
  if (sums.timed == 0) {
    stratum.runs_left = runs_per_stratum;
    stratum.size += runs_per_stratum * run_length;
    stratum.drawn_left = share == 0 ? runs_per_stratum : 1;
    return;
  }
  struct weighing weighing = {.cost = cost, .is_comparable = stratum.cycles == strata.size};
  double known = (double)stratum.cycles / (double)(sums.timed + sums.plain), own = 0;
  for (size_t kind = 0; kind < kinds; kind++) {
    const struct cycle_sums *some = &stratum.sums[kind];
    waiting[kind] += known * (double)(some->timed + some->plain);
    if (some->timed == 0) continue;
    double weight = waiting[kind] / (double)some->timed;
    waiting[kind] = 0;
    weighing.weights[kind] = weight;
    own += weight * ((double)some->timed_ticks - tracing(some));
  }
  weighing.change = own - strata.ticks;
  trace_weigh_records(&weighing);
  for (size_t index = 0; index < trace_thread_count; index++)
    weigh_engine(trace_threads[index], weighing.weights);
  strata.all_ticks += own;
  strata.ticks = own;
  strata.size = stratum.cycles;
  strata.count++;
  if (weighing.is_comparable) {
    strata.comparisons++;
    strata.compared_cycles += stratum.cycles;
    strata.squared_changes += weighing.change * weighing.change;
  }
  estimate.cycles += stratum.cycles;
  estimate.timed += sums.timed;
  estimate.plain += sums.plain;
  estimate.timed_ticks += (double)sums.timed_ticks;
  estimate.timed_tracing += tracing(&sums);
  estimate.ticks += known * (double)(sums.plain_ticks + sums.timed_ticks);
  estimate.tracing += known * tracing(&sums);
  add_excess(&stratum.sums[0]);
  begin_stratum();
}

// Whether the next k-cycle's calls are traced, and whether they are timed.
static void draw(void) {
  if (stratum.run_left == 0) {
    stratum.is_drawn = random_number() * (double)stratum.runs_left < (double)stratum.drawn_left;
    stratum.drawn_left -= (size_t)stratum.is_drawn;
    stratum.runs_left--;
    stratum.run_left = stratum.cycles == 0 ? stratum.first_run_length : run_length;
    if (!stratum.is_drawn) stratum.is_warm = 0;
  }
  stratum.run_left--;
  // The first of a run finds cold caches and is not timed.
  trace_times_cycle = stratum.is_drawn && (stratum.is_warm || stratum.size == 1 || share == 0);
  stratum.is_warm = stratum.is_drawn;
  trace_let_blocks_call(stratum.is_drawn);
}

// ---- Looks

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
    for (size_t kind = 0; kind < kinds; kind++) {
      stretch->timed_cycles += in_span.sums[kind].timed;
      add(&stratum.sums[kind], &in_span.sums[kind]);
    }
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
    uint64_t start = __rdtsc();
    draw();
    beside += __rdtsc() - start;
    trace_begin_thread_cycle(thread);
    // What the engine did before its first k-cycle is not part of any.
    if (trace_cycle == 1) {
      thread->in_cycle = (struct engine_times){0};
      thread->recording = thread->starting = 0;
    }
  }
  if (trace_cycle == 1) look_first();
  cycle_start = read_counter();
  if (trace_engine_traced != NULL) trace_this_thread->last = cycle_start;
}

static void end_traced_cycle(uint64_t now, uint64_t elapsed) {
  struct thread *thread = trace_this_thread;
  uint64_t sampled = elapsed - thread->cycle_exact;
  struct cycle_sums sums = {0};
  if (thread->times) {
    thread->in_cycle.after_notes += now - thread->last;
    drawn_cycles++;
    sums = (struct cycle_sums){
        .timed = 1, .timed_ticks = sampled, .timed_passes = thread->cycle_passes,
        .timed_entries = thread->cycle_entries};
  } else if (!stratum.is_drawn) {
    sums = (struct cycle_sums){.plain = 1, .plain_ticks = sampled};
  }
  size_t kind = tell_kind((double)sampled - tracing(&sums) * tracing_factor());
  add(&in_span.sums[kind], &sums);
  stratum.cycles++;
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
    instrument->ticks = 0;
  }
}

void trace_end_cycle(double ticks_per_cycle) {
  uint64_t now = read_counter();
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

void trace_begin_cycles(double largest_share, uint64_t seed, struct trace_cost measured) {
  share = largest_share;
  cost = measured;
  random_state = 0x9E3779B97F4A7C15u * (2 * seed + 1);
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
  memset(&strata, 0, sizeof strata);
  memset(&excess, 0, sizeof excess);
  memset(waiting, 0, sizeof waiting);
  memset(kind_of_cycle, 0, sizeof kind_of_cycle);
  usual_ticks = 0;
  backlog = backlog_before_span = 0;
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
  result.tracing_factor = tracing_factor();
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
