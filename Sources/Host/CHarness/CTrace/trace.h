// Declarations shared by the parts of the tracer: records of statements, threads that perform, instruments.
#ifndef OPCODEKIT_TRACE_H
#define OPCODEKIT_TRACE_H

#include "Host.h"
#include <stdlib.h>
#include <string.h>

#include "CTrace.h"
#include "Processor.h"

// The kinds of k-cycles by duration: usual, or at least 2, 8, 64 or 512 times as long as usual.
enum { kinds = 5 };

enum { most_records = 1 << 19, most_instruments = 4096, most_stretches = 2048, most_threads = 256 };

static inline uint64_t larger(uint64_t a, uint64_t b) { return a > b ? a : b; }

// ---- A statement at its place in the tree of calls

struct pass_sums {
  uint64_t passes, ticks;
  // For an opcode that runs statements: how many times it began them, and how many times it began them again.
  uint64_t entries, repeats;
};

// The blocks of a traced statement point to `text`, a copy of the statement's OPTXT, so that the record is found
// directly from the block.
struct record {
  OPTXT text;
  // The fields used by each pass fit into two cache lines, so that they displace little of the piece's own data.
  _Alignas(64) struct record *caller;
  SUBR perform;
  uint64_t passes, cycle;
  // Sums over timed passes: in the current k-cycle; in the current span, by kind of k-cycle; in the calm spans of
  // the current stratum; and the weighted estimate for all k-cycles.
  struct pass_sums in_cycle;
  uint64_t span, cycle_ticks, span_worst, worst;
  struct pass_sums in_span[kinds], in_stratum[kinds];
  struct trace_passes estimate;
  // The ticks of its passes in the last stratum, and sums over the changes from one stratum to the next: squared,
  // and multiplied by the change of the ticks of all.
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
  // Copies, because an instrument that is redefined is freed.
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

// A thread that performs. Each has its own records.
struct thread {
  int number;
  struct record *current;
  INSDS *instance;
  // The thread's current k-cycle, and the last reading of the counter. `times` tells whether passes are timed.
  uint64_t cycle, last;
  // The block that comes next in the note.
  OPDS *next;
  int times;
  int has_performed;
  uint64_t unrecorded;
  // The ticks to create records.
  uint64_t recording;
  struct engine_times in_cycle, in_span[kinds], in_stratum[kinds];
  struct trace_engine_times estimate;
  // The numbers of timed passes and entries in this k-cycle.
  uint64_t cycle_passes, cycle_entries;
  // `starting` is the engine's work before notes' init passes, in all k-cycles. `cycle_exact` is that work and the
  // init passes in this k-cycle; both are timed in every k-cycle.
  uint64_t starting, cycle_exact;
  // The instrument that performs, and its start in ticks.
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
// To be called at a thread's first pass in a new k-cycle.
void trace_begin_thread_cycle(struct thread *thread);

// ---- Records

int trace_allocate_records(void);
void trace_forget_records(void);
// Remembers which instruments were compiled from the file.
int trace_remember_instruments(void);

// Finds or creates the record of a block whose statement has another caller than last time, or other functions. NULL
// without memory.
struct record *trace_place(
    struct thread *thread, OPDS *block, SUBR initialize_function, SUBR perform_function);

// Adds a record's timed passes of a finished k-cycle to its span and, if that span is over too and was not disturbed,
// those of the span to its stratum.
void trace_end_cycle_of(struct record *record);
// Adds the timed passes of a finished stratum to the estimates, with a weight for each kind of k-cycle.
// `is_comparable` tells whether the previous stratum had the same size, `change` by how many ticks the time of all
// changed.
struct weighing {
  double weights[kinds];
  struct trace_cost cost;
  int is_comparable;
  double change;
};
void trace_weigh_records(const struct weighing *weighing);
// The standard error of a record's ticks from not timing every k-cycle, as a part of the ticks of all; negative if
// unknown.
double trace_sampling_error(const struct record *record);

// ---- Functions of opcodes

struct entry {
  OENTRY *entry;
  SUBR initialize, perform;
};

// The original functions of an opcode; a free place in the table if the opcode is unknown, NULL before the first.
struct entry *trace_find_entry(const OENTRY *entry);
int trace_take_entry(OENTRY *entry);
int trace_take_opcodes(void);
void trace_forget_opcodes(void);

// Call an opcode's own function and trace the call.
int trace_perform(CSOUND *csound, void *block);
int trace_initialize(CSOUND *csound, void *block);
// The functions that blocks call instead of their opcode's: the two above or, while instructions are counted, the
// functions that call them.
extern SUBR trace_block_perform, trace_block_initialize;
extern int trace_counts;

// Whether blocks call the tracer's functions or, in k-cycles that are not traced, their opcodes' own.
extern int trace_calls_are_traced;
void trace_let_blocks_call(int is_traced);

// ---- The engine under trace and its k-cycles

extern CSOUND *trace_engine_traced;
// The numbers of the current k-cycle and the current span; the tracer's ticks outside k-cycles.
extern uint64_t trace_cycle, trace_span, trace_beside;
extern int trace_times_cycle;

int trace_was_disturbed(uint64_t span);
void trace_forget_cycles(void);

// ---- Strata of k-cycles, of which some are drawn for timing

// Sums over timed k-cycles and over plain ones, in which no call is traced. The ticks do not include the starting of
// notes, which is measured separately.
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
// Decides whether the next k-cycle's calls are traced and timed.
void trace_draw_cycle(void);
int trace_is_drawn(void);
void trace_count_in_stratum(int is_timed);
int trace_ends_stratum(void);
// Adds the sums of a calm span, by kind of k-cycle.
void trace_add_to_stratum(const struct cycle_sums *sums);
// The estimated overhead of tracing in these k-cycles, in ticks.
double trace_tracing_ticks(const struct cycle_sums *sums);
// Adds the estimates for all k-cycles of a finished stratum, from its timed and plain k-cycles.
void trace_weigh_stratum(void);
void trace_finish_strata(void);
void trace_forget_strata(void);

// ---- Kinds of k-cycles

// The kind of a finished k-cycle.
size_t trace_kind(uint64_t cycle);
// Determines and remembers the kind of the k-cycle that is ending, from its ticks.
size_t trace_tell_kind(double ticks);
void trace_forget_kinds(void);

// ---- Variants of the piece

// Whether variants are performed in turns; then only init passes are traced.
extern int trace_has_variants;
void trace_begin_varied_cycle(void);
// `ticks` is the time of the k-cycle without the starting of notes.
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

// The instrument of an instance, added if it is new; NULL without memory.
struct instrument *trace_find_instrument(INSDS *instance);
void trace_leave_instrument(struct thread *thread);
// Counts the notes that are playing, and updates the instruments' maxima.
uint64_t trace_count_notes(void);
void trace_forget_instruments(void);

#endif
