// Times what an engine does: how long each k-cycle takes and, while a trace is attached, how long each
// call of each opcode takes, by who called it. One engine at a time in a process.
//
// Time is counted in ticks of the processor's time-stamp counter, which is read just before a call and
// just after it. What goes by from one call to the next one of the same note is the tracer's own and
// belongs to nobody: how long that takes depends on what is called. The counter is read when all that was
// begun has ended: else an opcode that waits for memory would be found quick, and what comes after it slow.
#ifndef OPCODEKIT_CTRACE_H
#define OPCODEKIT_CTRACE_H

#include <stddef.h>
#include <stdint.h>

// ---- k-cycles

// What a stretch of k-cycles took. Stretches are as many k-cycles as `trace_cycles_per_stretch`.
struct trace_stretch {
  uint64_t cycles;
  // Those in which the system did not take the processor away, and those of them that were timed.
  uint64_t calm_cycles, timed_cycles;
  // In all calm k-cycles, and in the longest; and how many of them took longer than there is time.
  uint64_t ticks, worst, late_cycles;
  // The most notes that performed in a k-cycle.
  uint64_t most_notes;
};

// Forgets everything. An engine that was traced is gone before.
void trace_reset(void);

// Around each k-cycle. `ticks_per_cycle` is the time there is for one in real time.
void trace_begin_cycle(void);
void trace_end_cycle(double ticks_per_cycle);
// After the last one.
void trace_finish(void);

uint64_t trace_now(void);

struct trace_load {
  uint64_t cycles;
  // Those during which the system took the processor away; what follows is of the others.
  uint64_t disturbed_cycles;
  uint64_t ticks, worst, worst_cycle;
  // k-cycles that took longer than there is time, and how far the rendering fell behind real time.
  uint64_t late_cycles;
  double largest_backlog;
};
struct trace_load trace_load(void);
size_t trace_cycles_per_stretch(void);
size_t trace_stretches(const struct trace_stretch **stretches);

// ---- Instructions

// A call is made from `trace_high_A`, which calls `trace_low_B`: A and B are the quotient and the
// remainder of its site's number by this.
#define TRACE_LOW_SITES 1024
// The instructions of ours that are counted: the request to begin and the call, with what is called
// through a site or is the engine's k-cycle; with its caller, those that go back there.
#define TRACE_INSIDE 2
#define TRACE_OUTSIDE 3

// The site of a statement's init or performance passes that are called from such passes.
static inline size_t trace_site(size_t call, int is_init, int is_inside_init) {
  return 4 * call + 2 * (size_t)(is_init != 0) + (size_t)(is_inside_init != 0);
}

// `csoundPerformKsmps`, which Callgrind counts.
int trace_perform_counted(void *engine);

// Lets the engine call `take` with its messages, which Callgrind does not count: a function as
// `csoundSetMessageStringCallback` has it.
void trace_set_aside_messages(void *engine, void *take);

// ---- Opcodes

// Starts tracing `engine`, which is compiled and not started. `share` is the part of the time that
// tracing may take: to stay near it, k-cycles are drawn at random, in runs of 32, and the others left
// alone; 0 for timing every call. At least one in 64 is drawn, which ones `seed` says. With `counts` the calls go through
// sites, for Callgrind; then the share is 0. Forgets what was before. Returns 0, or -1 when there is
// no memory.
int trace_attach(void *engine, double share, uint64_t seed, int counts);

// An instrument or user-defined opcode; `id` tells instances of it from others, `name` may be NULL.
// `place` is its number among those of the file, or negative.
struct trace_body {
  const void *id;
  const char *name;
  int number;
  int is_user_opcode;
  ptrdiff_t place;
};

// Stands between names in a list of them.
#define TRACE_SEPARATOR "\x1F"

// What all performance passes would have been found to take if every one were timed, by those that were:
// each counts as often as there are k-cycles like the one it was timed in.
struct trace_passes {
  // Those that were timed in k-cycles the system left in peace.
  uint64_t timed;
  // What they took themselves, and what tracing takes of that where opcodes do nothing.
  double passes, ticks, tracing;
};

// What one statement did at one place in the tree of calls.
struct trace_call {
  // Index of the statement that called it; -1 for what the engine itself calls.
  ptrdiff_t caller;
  // The opcode's entry, such as "oscili.a", and the names of its arguments.
  const char *opcode, *outputs, *inputs;
  // Its line, as Csound has it, and the file it is in: the lowest byte of `location`.
  unsigned line;
  uint64_t location;
  // Whether it was compiled when the engine had started.
  int is_late;
  // Tells statements apart, and its place among those of its instrument.
  const void *statement;
  size_t index;
  struct trace_body instrument;
  // Performance passes: those that were traced, and what the timed ones tell of all.
  uint64_t passes;
  struct trace_passes estimate;
  // The standard error of the estimate's ticks, as a part of the whole, that comes of not timing every
  // k-cycle; negative when they are too few to tell.
  double sampling_error;
  // The longest the timed passes of one k-cycle took, with what they called.
  uint64_t worst;
  // Samples in a pass.
  uint64_t ksmps;
  // Init passes, which are all timed.
  uint64_t inits, init_ticks, worst_init;
  // 0 for the thread that performs the engine, others for those of -j.
  int thread;
};

// Copies what is known into `calls`, callers first; returns how many there are.
size_t trace_calls(struct trace_call *calls, size_t capacity);

// What an instrument took in each stretch, in timed k-cycles, with what it called.
struct trace_instrument {
  struct trace_body body;
  uint64_t notes_begun;
  uint64_t most_notes;
  // The longest its notes took together in a timed k-cycle.
  uint64_t worst;
  const uint64_t *ticks;
};
size_t trace_instruments(struct trace_instrument *instruments, size_t capacity);

// What an instrument has taken in all timed k-cycles so far, with what it called; its name, which may be
// NULL, is there until the next `trace_reset`.
struct trace_share {
  const char *name;
  int number;
  uint64_t ticks;
};
// While it performs, on the thread that does; returns how many k-cycles were timed. Allocates nothing.
uint64_t trace_shares(struct trace_share *shares, size_t capacity, size_t *count);

// What is known of the time of all k-cycles, notes' starts excepted, which are timed in every one.
struct trace_cycles {
  // k-cycles drawn for timing; those whose time is known by the timed and plain ones near them; and, of
  // those the system left in peace, the timed ones and the plain ones, in which no call was traced.
  uint64_t drawn, cycles, timed, plain;
  // What the k-cycles took, the timed and the plain ones; and what tracing takes of it where opcodes do
  // nothing.
  double ticks, tracing;
  // The same of the timed ones, as they were.
  double timed_ticks, timed_tracing;
  // What timed k-cycles took beyond plain ones over what tracing takes where opcodes do nothing, as far
  // as that can be told; else 1.
  double tracing_factor;
  // What the tracer took between k-cycles.
  uint64_t beside;
};
struct trace_cycles trace_cycles(void);

// The engine's own time before the first note performs (events, ending notes, filling tables),
// between notes, and after the last one (output, and waiting for the threads of -j); and what tracing
// takes of the first two where opcodes do nothing.
struct trace_engine_times {
  double before_notes, between_notes, after_notes, tracing_before, tracing_between;
};

struct trace_engine {
  // By the timed k-cycles, in all of them.
  struct trace_engine_times estimate;
  // Events and starting notes, without their init passes: timed in every k-cycle.
  uint64_t starting;
  // What making records took.
  uint64_t recording;
  // Passes that found no memory to be recorded in.
  uint64_t unrecorded;
  // Threads that performed.
  uint64_t threads;
};
struct trace_engine trace_engine(void);

// ---- Variants

// A statement by the place of its body and its index there, and the variants that leave it out, a bit
// for each.
struct trace_statement {
  size_t body, index;
  uint64_t variants;
};

// Lets the engine that is traced perform from 1 to 62 variants in turns, some k-cycles of each at a
// time, and of the piece as it is. The order is random, which `seed` says. Returns 0, or -1 when there
// is no memory or no such statement.
int trace_vary(
    const struct trace_statement *statements, size_t count, size_t variants, uint64_t seed);

// Rows of the number of k-cycles in a run and the ticks of one, the starting of notes excepted: as it
// is, and in each variant; NaN where the system took the processor away. Returns how many numbers.
size_t trace_variants(const double **rows);

// ---- Functions

// A function that init or performance passes of an opcode run.
struct trace_function {
  const char *opcode;
  uint64_t address;
};

// Copies those of the orchestra's statements into `functions`, some more than once; returns how many
// there are. It need not be traced.
size_t trace_functions(void *engine, struct trace_function *functions, size_t capacity);

// A program or library and where it is in memory. The path is NULL for none, empty for the program.
struct trace_object {
  const char *path;
  uint64_t begin, end;
};

// Finds what holds an address and copies where its functions begin, ascending; returns how many there
// are, 0 where nothing tells.
size_t trace_function_starts(
    uint64_t address, struct trace_object *object, uint64_t *starts, size_t capacity);

// ---- Costs

// What tracing itself costs, measured on an opcode that does nothing, in ticks: what a pass is found to
// take too long; what is found between a body's passes and those before, and between them and the same
// again; and all that a pass takes longer.
struct trace_cost {
  double pass, entering, repeating, whole;
};
struct trace_cost trace_measure_cost(void);

#endif
