#include <math.h>

#include "trace.h"

// A stratum is a sequence of k-cycles, some of which are drawn for timing, in runs. All its k-cycles are equally
// likely to be drawn, so the times of all can be estimated from the timed ones. The number of drawn runs may differ
// between strata. The place where the runs begin differs, too; otherwise something that happens in every 16th k-cycle
// might always, or never, fall on the first k-cycle of a run.
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

// The number of k-cycles of each kind in finished strata that no timed k-cycle represents yet.
static double waiting[kinds];

// The additional time of timed k-cycles over plain ones, divided by the overhead of tracing opcodes that do nothing:
// sums over the strata so far, each weighted by its precision.
static struct {
  double weights, factors, squares;
  uint64_t count;
} excess;

// For the strata so far: the time of all, without the overhead of tracing; the sum of the squared changes from one
// stratum to the next; and the time of the last one.
static struct {
  double all_ticks, squared_changes, ticks;
  uint64_t count, comparisons, compared_cycles, size;
} strata;

// The variance of a stratum is estimated as half the mean squared change from one stratum to the next. This assumes
// that the piece itself changes rarely; otherwise the error is overestimated. A part's time and the whole time are
// correlated, because they come from the same k-cycles.
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

// The actual overhead of tracing, divided by its overhead for opcodes that do nothing, 0.5 to 4. If the values of the
// strata scatter widely, because a few k-cycles take most of the time, the result is drawn towards 1.
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

// The overhead of tracing in timed k-cycles, as for opcodes that do nothing, in ticks.
static double tracing(const struct cycle_sums *sums) {
  return (double)sums->timed_passes * cost.whole + (double)sums->timed_entries * cost.entering;
}

static struct cycle_sums all_kinds(void) {
  struct cycle_sums all = {0};
  for (size_t kind = 0; kind < kinds; kind++) trace_add_sums(&all, &stratum.sums[kind]);
  return all;
}

// The number of runs to time in the next stratum, from the overhead in the last one.
static size_t affordable_runs(void) {
  const struct cycle_sums all = all_kinds(), *sums = &all;
  if (sums->timed == 0 || stratum.size == 1) return 1;
  double timed = (double)sums->timed_ticks / (double)sums->timed;
  double spent = tracing(sums) / (double)sums->timed;
  if (tracing_factor() > 1) spent *= tracing_factor();
  double own = timed > spent ? timed - spent : 0;
  if (sums->plain > 0) own = (double)sums->plain_ticks / (double)sums->plain;
  // At least one run in 8 is left plain, so that the overhead can be measured.
  double most = (double)runs_per_stratum * 7 / 8;
  double runs = share * own < spent ? share * own / spent * (double)runs_per_stratum : most;
  return runs < 1 ? 1 : (size_t)(runs < most ? runs : most);
}

static void begin_stratum(void) {
  int is_first = runs_per_stratum == 0;
  // The first k-cycle is unlike the others and is a stratum of its own. The later strata grow, so that even a short
  // piece has several, and in a long piece with many calls a smaller part can be drawn.
  runs_per_stratum = is_first ? 1 : strata.count < 2 ? 8 : strata.count < 6 ? 32 : most_runs;
  // The first run is shortened at random, and an additional last run gets the rest.
  stratum.first_run_length = is_first ? 1 : 1 + (uint64_t)(random_number() * run_length);
  stratum.runs_left = runs_per_stratum + (stratum.first_run_length < run_length && !is_first);
  stratum.drawn_left = is_first || share == 0 ? stratum.runs_left : affordable_runs();
  stratum.run_left = 0;
  stratum.size = is_first ? 1 : runs_per_stratum * run_length;
  stratum.is_warm = stratum.is_drawn;
  stratum.cycles = 0;
  memset(stratum.sums, 0, sizeof stratum.sums);
}

// Adds a stratum's additional time of timed k-cycles over plain ones, for the usual kind of k-cycle.
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

void trace_weigh_stratum(void) {
  const struct cycle_sums sums = all_kinds();
  // Without a calm timed k-cycle, the stratum is extended.
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

void trace_draw_cycle(void) {
  if (stratum.run_left == 0) {
    stratum.is_drawn = random_number() * (double)stratum.runs_left < (double)stratum.drawn_left;
    stratum.drawn_left -= (size_t)stratum.is_drawn;
    stratum.runs_left--;
    stratum.run_left = stratum.cycles == 0 ? stratum.first_run_length : run_length;
    if (!stratum.is_drawn) stratum.is_warm = 0;
  }
  stratum.run_left--;
  // The first k-cycle of a run has cold caches and is not timed.
  trace_times_cycle = stratum.is_drawn && (stratum.is_warm || stratum.size == 1 || share == 0);
  stratum.is_warm = stratum.is_drawn;
  trace_let_blocks_call(stratum.is_drawn);
}

int trace_is_drawn(void) { return stratum.is_drawn; }

double trace_tracing_ticks(const struct cycle_sums *sums) {
  return tracing(sums) * tracing_factor();
}

void trace_count_in_stratum(int is_timed) {
  stratum.cycles++;
  drawn_cycles += (uint64_t)is_timed;
}

int trace_ends_stratum(void) { return stratum.cycles == stratum.size; }

void trace_add_to_stratum(const struct cycle_sums *sums) {
  for (size_t kind = 0; kind < kinds; kind++) trace_add_sums(&stratum.sums[kind], &sums[kind]);
}

void trace_begin_strata(double largest_share, uint64_t seed, struct trace_cost measured) {
  share = largest_share;
  cost = measured;
  random_state = 0x9E3779B97F4A7C15u * (2 * seed + 1);
  trace_times_cycle = 1;
  begin_stratum();
}

void trace_finish_strata(void) {
  if (stratum.cycles > 0) trace_weigh_stratum();
}

void trace_forget_strata(void) {
  memset(&stratum, 0, sizeof stratum);
  estimate = (struct trace_cycles){0};
  memset(&strata, 0, sizeof strata);
  memset(&excess, 0, sizeof excess);
  memset(waiting, 0, sizeof waiting);
  drawn_cycles = 0;
  runs_per_stratum = 0;
}

struct trace_cycles trace_cycles(void) {
  struct trace_cycles result = estimate;
  result.drawn = drawn_cycles;
  result.tracing_factor = tracing_factor();
  result.beside = trace_beside;
  return result;
}
