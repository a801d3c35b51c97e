#include <math.h>
#include <sys/resource.h>

#include "trace.h"

// Variants of a piece are performed in turns, each for a run of k-cycles. In a variant, the blocks of some statements
// are removed from the chain of blocks that a note performs. Their last results stay in the variables, so that the
// other statements continue with those values.
//
// A stratum consists of runs in random order: two of the unchanged piece and one of each variant.
enum { most_variants = 62, fewest_cycles = 4, most_cycles = 64, run_ticks = 1000000 };

int trace_has_variants;

// The variants that leave out a statement, in a hash table that is at most half full.
struct target {
  const OPTXT *statement;
  uint64_t variants;
};
static struct target *targets;
static size_t target_capacity;
static const INSTRTXT **bodies;
static size_t body_count;

// A change in a note's chain: the next block of `block` was `was` and is `is`.
struct change {
  INSDS *note;
  OPDS *block, *was, *is;
};
static struct change *changes;
static size_t change_count, change_capacity;

static size_t variant_count;
static struct {
  // The variant of each run; 0 for the unchanged piece, which also plays before the first run.
  size_t variants[most_variants + 2];
  size_t run, runs;
  uint64_t length, left, first_left;
  long interruptions;
  uint64_t ticks, cycles;
  // Ticks and k-cycles of each variant.
  double sums[most_variants + 1];
  uint64_t counts[most_variants + 1];
} stratum;
static uint64_t random_state;
static double *rows;
static size_t row_count, row_capacity;

static uint64_t random_below(uint64_t bound) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return (random_state >> 11) % bound;
}

// Returns the list with room for one more element, or NULL without memory; then the old list stays valid.
static void *grown(void *list, size_t count, size_t *capacity, size_t size) {
  if (count < *capacity) return list;
  size_t larger = *capacity == 0 ? 256 : 2 * *capacity;
  list = realloc(list, larger * size);
  if (list != NULL) *capacity = larger;
  return list;
}

// ---- Statements

static struct target *find_target(const OPTXT *statement) {
  size_t mixed = (size_t)statement * 0xBF58476D1CE4E5B9u;
  for (size_t at = mixed ^ (mixed >> 29);; at++) {
    struct target *found = &targets[at & (target_capacity - 1)];
    if (found->statement == statement || found->statement == NULL) return found;
  }
}

static int has_target(const INSTRTXT *text) {
  for (size_t index = 0; index < body_count; index++)
    if (bodies[index] == text) return 1;
  return 0;
}

static const INSTRTXT *first_instrument(void) {
  INSTRTXT **list = trace_engine_traced->GetInstrumentList(trace_engine_traced);
  return list != NULL ? list[0] : NULL;
}

int trace_vary(
    const struct trace_statement *statements, size_t count, size_t variants, uint64_t seed) {
  if (variants > most_variants) return -1;
  for (target_capacity = 64; target_capacity < 2 * count; target_capacity *= 2) continue;
  targets = calloc(target_capacity, sizeof *targets);
  bodies = calloc(count + 1, sizeof *bodies);
  if (targets == NULL || bodies == NULL) return -1;
  for (size_t number = 0; number < count; number++) {
    const INSTRTXT *text = first_instrument();
    for (size_t skip = statements[number].body; skip > 0 && text != NULL; skip--)
      text = text->nxtinstxt;
    const OPTXT *statement = text != NULL ? text->nxtop : NULL;
    for (size_t skip = statements[number].index; skip > 0 && statement != NULL; skip--)
      statement = statement->nxtop;
    if (statement == NULL) return -1;
    struct target *target = find_target(statement);
    target->statement = statement;
    target->variants |= statements[number].variants;
    if (!has_target(text)) bodies[body_count++] = text;
  }
  variant_count = variants;
  random_state = 0x9E3779B97F4A7C15u * (2 * seed + 1);
  trace_has_variants = 1;
  trace_let_blocks_call(0);
  return 0;
}

void trace_forget_variants(void) {
  free(targets);
  free(bodies);
  free(changes);
  free(rows);
  targets = NULL;
  bodies = NULL;
  changes = NULL;
  rows = NULL;
  target_capacity = body_count = change_count = change_capacity = row_count = row_capacity = 0;
  variant_count = 0;
  trace_has_variants = 0;
  memset(&stratum, 0, sizeof stratum);
}

// ---- Changing notes and changing them back

static int is_meant(const OPDS *block, uint64_t variants) {
  const OPTXT *text = block->optext;
  const OPTXT *statement = is_record(text) ? ((const struct record *)text)->statement : text;
  return (find_target(statement)->variants & variants) != 0;
}

static void link_to(INSDS *note, OPDS *block, OPDS *next) {
  if (block->nxtp == next) return;
  struct change *list = grown(changes, change_count, &change_capacity, sizeof *changes);
  if (list == NULL) return;
  changes = list;
  changes[change_count++] = (struct change){note, block, block->nxtp, next};
  block->nxtp = next;
}

// The removed blocks point to the next block that stays, because a jump to a label continues from the block before
// the label, which may be a removed one.
static void take_out(INSDS *note, uint64_t variants) {
  for (OPDS *last = (OPDS *)note; last != NULL;) {
    OPDS *stays = last->nxtp;
    while (stays != NULL && is_meant(stays, variants)) stays = stays->nxtp;
    for (OPDS *left = last->nxtp, *next; left != stays; left = next) {
      next = left->nxtp;
      link_to(note, left, stays);
    }
    link_to(note, last, stays);
    last = stays;
  }
}

static void vary(size_t variant) {
  uint64_t variants = (uint64_t)1 << variant;
  for (const INSTRTXT *text = first_instrument(); text != NULL; text = text->nxtinstxt) {
    if (!has_target(text)) continue;
    for (INSDS *note = text->instance; note != NULL; note = note->nxtinstance)
      take_out(note, variants);
  }
}

static int is_there(const INSDS *note) {
  for (const INSTRTXT *text = first_instrument(); text != NULL; text = text->nxtinstxt)
    if (has_target(text))
      for (const INSDS *other = text->instance; other != NULL; other = other->nxtinstance)
        if (other == note) return 1;
  return 0;
}

// Undoes all changes. Notes of an instrument that was redefined may no longer exist.
static void change_back(void) {
  const INSDS *known = NULL;
  int stays = 0;
  while (change_count > 0) {
    const struct change *made = &changes[--change_count];
    if (made->note != known) {
      known = made->note;
      stays = is_there(known);
    }
    if (stays && made->block->nxtp == made->is) made->block->nxtp = made->was;
  }
}

// ---- Runs

static long count_interruptions(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_nivcsw;
}

static void begin_stratum(void) {
  double ticks = stratum.counts[0] > 0 ? stratum.sums[0] / (double)stratum.counts[0] : 0;
  double length = ticks > 0 ? run_ticks / ticks : fewest_cycles;
  memset(&stratum, 0, sizeof stratum);
  stratum.length = length < fewest_cycles ? fewest_cycles
                   : length > most_cycles ? most_cycles
                                          : (uint64_t)length;
  // A random offset, so that periodic events fall on any place of a run.
  stratum.first_left = random_below(stratum.length);
  stratum.runs = variant_count + 2;
  for (size_t index = 0; index < stratum.runs; index++) {
    size_t place = random_below(index + 1);
    stratum.variants[index] = stratum.variants[place];
    stratum.variants[place] = index < 2 ? 0 : index - 1;
  }
}

static void end_run(void) {
  size_t variant = stratum.variants[stratum.run++];
  if (count_interruptions() == stratum.interruptions) {
    stratum.sums[variant] += (double)stratum.ticks;
    stratum.counts[variant] += stratum.cycles;
  }
  stratum.ticks = stratum.cycles = 0;
  if (stratum.run < stratum.runs) return;
  double *list = rows;
  size_t places = variant_count + 2;
  if (row_capacity < row_count + places)
    list = grown(rows, row_capacity, &row_capacity, sizeof *rows);
  if (list == NULL) return;
  rows = list;
  rows[row_count++] = (double)stratum.length;
  for (size_t index = 0; index <= variant_count; index++)
    rows[row_count++] =
        stratum.counts[index] > 0 ? stratum.sums[index] / (double)stratum.counts[index] : NAN;
}

void trace_begin_varied_cycle(void) {
  trace_times_cycle = 0;
  if (stratum.run == stratum.runs) begin_stratum();
  if (stratum.first_left > 0) {
    stratum.first_left--;
  } else if (stratum.left == 0) {
    change_back();
    size_t variant = stratum.variants[stratum.run];
    if (variant > 0) vary(variant - 1);
    stratum.left = stratum.length;
    stratum.interruptions = count_interruptions();
  }
}

void trace_end_varied_cycle(uint64_t ticks) {
  if (stratum.left == 0) return;
  // The first k-cycle of a run is left out, because the caches hold another variant's data.
  if (stratum.left-- < stratum.length) {
    stratum.ticks += ticks;
    stratum.cycles++;
  }
  if (stratum.left > 0) return;
  end_run();
  if (stratum.run == stratum.runs) change_back();
}

size_t trace_variants(const double **result) {
  *result = rows;
  return row_count;
}
