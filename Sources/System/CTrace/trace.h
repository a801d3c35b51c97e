// What the parts of the tracer share: records of statements, the threads that perform, instruments.
#ifndef OPCODEKIT_TRACE_H
#define OPCODEKIT_TRACE_H

#ifndef USE_DOUBLE
#define USE_DOUBLE 1
#endif
#include <csound/csdl.h>
#include <stdlib.h>
#include <string.h>

#include "CTrace.h"
#include "Processor.h"

// k-cycles are told apart by how long they take: like most, or 2, 8, 64, 512 times as long.
enum { kinds = 5 };

enum { most_records = 1 << 19, most_instruments = 4096, most_stretches = 2048, most_threads = 256 };

static inline uint64_t larger(uint64_t a, uint64_t b) { return a > b ? a : b; }

// ---- A statement at its place in the tree of calls

struct pass_sums {
  uint64_t passes, ticks;
  // How often it went on with the first of its statements, of another note's or of the same again.
  uint64_t entries, repeats;
};

// The blocks of a traced statement point to `text`, a copy of the statement's own, so that the record
// is found from the block at once.
struct record {
  OPTXT text;
  // What each pass uses fits into two lines of a cache, so that the piece's own data stay there.
  _Alignas(64) struct record *caller;
  SUBR perform;
  uint64_t passes, cycle;
  // Of timed passes: in a k-cycle; by kind of k-cycle, in a span; in those spans of a stratum that were
  // left in peace; and, weighed stratum by stratum, in all k-cycles.
  struct pass_sums in_cycle;
  uint64_t span, cycle_ticks, span_worst, worst;
  struct pass_sums in_span[kinds], in_stratum[kinds];
  struct trace_passes estimate;
  // What its passes took in the last stratum, and sums over strata of how that changed from one to the
  // next: squared, and times the change of all that timed k-cycles took.
  double stratum_ticks, squared_changes, common_changes;
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
  ptrdiff_t body;
  int is_user_opcode, is_late;
};

extern struct record *trace_records;
extern _Atomic size_t trace_record_count;

static inline int is_record(const void *text) {
  return (size_t)((const char *)text - (const char *)trace_records) <
         most_records * sizeof(struct record);
}

// ---- Threads

struct engine_times {
  uint64_t before_notes, between_notes, after_notes, entries_before, entries_between;
};

// Each has records of its own.
struct thread {
  int number;
  struct record *current;
  INSDS *instance;
  // The k-cycle it is at, whether passes are timed, and when the counter was read last.
  uint64_t cycle, last;
  // The block that comes next in the note.
  OPDS *next;
  int times;
  int has_performed;
  uint64_t unrecorded;
  // What making records took.
  uint64_t recording;
  struct engine_times in_cycle, in_span[kinds], in_stratum[kinds];
  struct trace_engine_times estimate;
  // Of timed passes, in this k-cycle.
  uint64_t cycle_passes, cycle_entries;
  // What is timed in every k-cycle: the engine's work up to the notes' init passes, and these; and
  // both together in this one.
  uint64_t starting, cycle_exact;
  // The instrument that performs and since when.
  struct instrument *instrument;
  uint64_t instrument_start;
  struct record root;
  struct record **table;
  size_t table_count, table_capacity;
};

extern __thread struct thread *trace_this_thread __attribute__((tls_model("initial-exec")));
extern struct thread *trace_threads[most_threads];
extern _Atomic size_t trace_thread_count;

struct thread *trace_new_thread(void);
// The engine's k-cycle has begun, as the thread sees it.
void trace_begin_thread_cycle(struct thread *thread);

// ---- Records

int trace_allocate_records(void);
void trace_forget_records(void);
// Notes which instruments are the file's.
int trace_remember_instruments(void);

// The record of a block whose statement runs in another place than last time, or with other functions;
// NULL when there is no memory.
struct record *trace_place(
    struct thread *thread, OPDS *block, SUBR initialize_function, SUBR perform_function);

// Adds what timed passes took in a k-cycle that is over and, unless it was disturbed, in its span.
void trace_end_cycle_of(struct record *record);
// Adds what timed passes took in a stratum that is over, so many times by kind of k-cycle; whether the
// stratum before it is of the same size, and how much all that timed k-cycles took changed.
struct weighing {
  double weights[kinds];
  struct trace_cost cost;
  int is_comparable;
  double change;
};
void trace_weigh_records(const struct weighing *weighing);
// By how much the ticks of a record may be wrong because not every k-cycle was timed; negative when
// nothing tells.
double trace_sampling_error(const struct record *record);

// ---- Functions of opcodes

struct entry {
  OENTRY *entry;
  SUBR initialize, perform;
};

// The true functions of an opcode; of a free place where it is not known, NULL before any is.
struct entry *trace_find_entry(const OENTRY *entry);
int trace_take_entry(OENTRY *entry);
int trace_take_opcodes(void);
void trace_forget_opcodes(void);

// Trace a call of an opcode's own function.
int trace_perform(CSOUND *csound, void *block);
int trace_initialize(CSOUND *csound, void *block);
// What blocks call in place of their opcode's functions: these or, where instructions are counted,
// what calls these.
extern SUBR trace_block_perform, trace_block_initialize;
extern int trace_counts;

// Whether blocks call our functions or, in k-cycles that are not traced, their own.
extern int trace_calls_are_traced;
void trace_let_blocks_call(int is_traced);

// ---- The engine under trace and its k-cycles

extern CSOUND *trace_engine_traced;
// The k-cycle's number; what the tracer took beside the k-cycles.
extern uint64_t trace_cycle, trace_span, trace_beside;
extern int trace_times_cycle;

int trace_was_disturbed(uint64_t span);
void trace_forget_cycles(void);

// ---- Strata of k-cycles, of which some are drawn for timing

// k-cycles whose opcode calls are timed, and those in which they are not even traced; what was timed
// apart, the notes' starts, is not in their ticks.
struct cycle_sums {
  uint64_t timed, timed_ticks, timed_passes, timed_entries;
  uint64_t plain, plain_ticks;
};

static inline void trace_add_sums(struct cycle_sums *sums, const struct cycle_sums *more) {
  sums->timed += more->timed;
  sums->timed_ticks += more->timed_ticks;
  sums->timed_passes += more->timed_passes;
  sums->timed_entries += more->timed_entries;
  sums->plain += more->plain;
  sums->plain_ticks += more->plain_ticks;
}

void trace_begin_strata(double share, uint64_t seed, struct trace_cost cost);
// Whether the next k-cycle's calls are traced, and whether they are timed.
void trace_draw_cycle(void);
int trace_is_drawn(void);
void trace_count_in_stratum(int is_timed);
int trace_ends_stratum(void);
// What was measured in a span that was left in peace, by kind of k-cycle.
void trace_add_to_stratum(const struct cycle_sums *sums);
// What tracing took of these k-cycles, as far as is known.
double trace_tracing_ticks(const struct cycle_sums *sums);
// What the k-cycles of a stratum that is over took, by those of them that were timed or plain.
void trace_weigh_stratum(void);
void trace_finish_strata(void);
void trace_forget_strata(void);

// ---- Kinds of k-cycles

// Which kind a k-cycle was that is over.
size_t trace_kind(uint64_t cycle);
// Which kind the k-cycle is that took so many ticks and is over now.
size_t trace_tell_kind(double ticks);
void trace_forget_kinds(void);

// ---- Variants of the piece

// Whether variants are performed in turns, and nothing is traced but init passes.
extern int trace_has_variants;
void trace_begin_varied_cycle(void);
// What the k-cycle took, the starting of notes excepted.
void trace_end_varied_cycle(uint64_t ticks);
void trace_forget_variants(void);

// ---- Instruments

struct instrument {
  const INSTRTXT *text;
  char *name;
  int number;
  _Atomic uint64_t ticks;
  uint64_t notes_begun, most_notes, worst;
  uint64_t span_ticks, span_worst;
  uint64_t *stretches;
  // In all timed k-cycles so far.
  uint64_t all_ticks;
};

extern struct instrument trace_instrument_list[most_instruments];
extern size_t trace_instrument_count;

// NULL when there is no memory.
struct instrument *trace_find_instrument(INSDS *instance);
void trace_leave_instrument(struct thread *thread);
// Notes sounding now.
uint64_t trace_count_notes(void);
void trace_forget_instruments(void);

#endif
