// Measures an engine: how long each k-cycle takes and, while a trace is attached, how long each call of each
// opcode takes, by caller. One engine at a time in a process.
//
// Time is measured in ticks of the processor's time-stamp counter, which is read directly before and after each
// call. The time between two calls in the same note is the tracer's overhead and is charged to no opcode. The
// counter is read only after all earlier instructions have completed. Otherwise an opcode that waits for memory
// would seem fast, and the next opcode slow.
//
// Some k-cycles are traced, the others are left alone ("plain"). Most traced k-cycles are timed. A k-cycle is
// disturbed if the system gave the processor to another thread meanwhile, otherwise calm.
#ifndef OPCODEKIT_CTRACE_H
#define OPCODEKIT_CTRACE_H

#include <stddef.h>
#include <stdint.h>

// ---- k-cycles

// The times of a stretch: `trace_cycles_per_stretch` consecutive k-cycles.
struct trace_stretch {
  uint64_t cycles;
  // k-cycles that were not disturbed, and those of them that were timed.
  uint64_t calm_cycles, timed_cycles;
  // The ticks of all calm k-cycles and of the longest of them; the number of calm k-cycles that took longer than
  // real time allows.
  uint64_t ticks, worst, late_cycles;
  // The largest number of notes at the same time.
  uint64_t most_notes;
};

// Discards all measurements. A traced engine must be destroyed before.
void trace_reset(void);

// To be called before and after each k-cycle. `ticks_per_cycle` is the time for a k-cycle in real time.
void trace_begin_cycle(void);
void trace_end_cycle(double ticks_per_cycle);
// To be called after the last k-cycle.
void trace_finish(void);

uint64_t trace_now(void);

struct trace_load {
  uint64_t cycles;
  // k-cycles that were disturbed. The following figures are about the others.
  uint64_t disturbed_cycles;
  uint64_t ticks, worst, worst_cycle;
  // k-cycles that took longer than real time allows, and the largest delay behind real time in ticks.
  uint64_t late_cycles;
  double largest_backlog;
};
struct trace_load trace_load(void);
size_t trace_cycles_per_stretch(void);
size_t trace_stretches(const struct trace_stretch **stretches);

// ---- Instructions

// A call goes through the function `trace_high_A`, which calls `trace_low_B`. A and B are the quotient and the
// remainder of the call site's number divided by this number.
#define TRACE_LOW_SITES 1024
// The tracer's own instructions that are counted: INSIDE for each call through a site and each k-cycle, included
// in the count of the function called; OUTSIDE for each call, included in the count of the caller.
#define TRACE_INSIDE 2
#define TRACE_OUTSIDE 3

// The call site of a statement's passes: init or performance passes, called from init or performance passes.
static inline size_t trace_site(size_t call, int is_init, int is_inside_init) {
  return 4 * call + 2 * (size_t)(is_init != 0) + (size_t)(is_inside_init != 0);
}

// Calls `csoundPerformKsmps` and lets Callgrind count it.
int trace_perform_counted(void *engine);

// Makes the engine call `take` with its messages, without Callgrind counting it. `take` is a function as for
// `csoundSetMessageStringCallback`.
void trace_set_aside_messages(void *engine, void *take);

// ---- Opcodes

// Starts tracing `engine`, which is compiled and not started. `share`, 0 to 1, is the part of the time that
// tracing may take. To stay near it, k-cycles are drawn at random, in runs of 32, and the others are left alone;
// at least one run in 64 is drawn. With 0, every call is timed. `seed` is the seed of the random choice. With
// `counts`, the calls go through call sites for Callgrind; then the share must be 0. Earlier measurements are
// discarded. Returns 0, or -1 without memory.
int trace_attach(void *engine, double share, uint64_t seed, int counts);

// An instrument or user-defined opcode. `id` identifies it; `name` may be NULL. `place` is its index among those
// of the file; negative if it was compiled during the performance.
struct trace_body {
  const void *id;
  const char *name;
  int number;
  int is_user_opcode;
  ptrdiff_t place;
};

// The separator in lists of names.
#define TRACE_SEPARATOR "\x1F"

// The estimated times of all performance passes, extrapolated from the timed ones. Each timed pass is weighted by
// the number of similar k-cycles.
struct trace_passes {
  // The number of passes that were timed in calm k-cycles.
  uint64_t timed;
  // For all passes: their number, their own ticks, and the part of the ticks that is the overhead of tracing
  // opcodes that do nothing.
  double passes, ticks, tracing;
};

// The measurements of a statement at one place in the tree of calls.
struct trace_call {
  // The index of the call that contains it; -1 for a call by the engine.
  ptrdiff_t caller;
  // The opcode's entry, such as "oscili.a", and the names of its arguments.
  const char *opcode, *outputs, *inputs;
  // The line that Csound reports, and the file's number in the lowest byte of `location`.
  unsigned line;
  uint64_t location;
  // Whether it was compiled during the performance.
  int is_late;
  // An identifier of the statement, and its index among the statements of its instrument.
  const void *statement;
  size_t index;
  struct trace_body instrument;
  // Performance passes: the number traced, and the estimate for all from the timed ones.
  uint64_t passes;
  struct trace_passes estimate;
  // The standard error of the estimate's ticks from not timing every k-cycle, as a part of the ticks of all
  // k-cycles; negative if too few were timed.
  double sampling_error;
  // The largest ticks of the timed passes in one k-cycle, including the calls inside them.
  uint64_t worst;
  // Samples in a pass.
  uint64_t ksmps;
  // Init passes, all of which are timed.
  uint64_t inits, init_ticks, worst_init;
  // 0 for the main thread, other numbers for the threads of -j.
  int thread;
};

// Copies the calls into `calls`, each after its caller. Returns the number of all calls.
size_t trace_calls(struct trace_call *calls, size_t capacity);

// The ticks of an instrument in the timed k-cycles of each stretch, including its calls.
struct trace_instrument {
  struct trace_body body;
  uint64_t notes_begun;
  uint64_t most_notes;
  // The largest ticks of all its notes together in a timed k-cycle.
  uint64_t worst;
  const uint64_t *ticks;
};
size_t trace_instruments(struct trace_instrument *instruments, size_t capacity);

// The ticks of an instrument in all timed k-cycles so far, including its calls. The name may be NULL and is valid
// until the next `trace_reset`.
struct trace_share {
  const char *name;
  int number;
  uint64_t ticks;
};
// Can be called between k-cycles, on the thread that performs. Returns the number of timed k-cycles. Allocates
// nothing.
uint64_t trace_shares(struct trace_share *shares, size_t capacity, size_t *count);

// The time of all k-cycles without the starting of notes, which is timed in every k-cycle.
struct trace_cycles {
  // k-cycles that were timed (drawn); k-cycles that the following figures cover (cycles); and, of the calm ones
  // among them, the timed ones and the plain ones, in which no call was traced.
  uint64_t drawn, cycles, timed, plain;
  // The ticks of the k-cycles covered, extrapolated from the timed and the plain ones; and the part of the ticks that
  // is the overhead of tracing opcodes that do nothing.
  double ticks, tracing;
  // The same for the timed k-cycles alone, as measured.
  double timed_ticks, timed_tracing;
  // The additional ticks of timed k-cycles over plain ones, divided by the overhead of tracing opcodes that do
  // nothing; 1 if it is unknown.
  double tracing_factor;
  // The tracer's ticks between k-cycles.
  uint64_t beside;
};
struct trace_cycles trace_cycles(void);

// The engine's own ticks before the first note performs (events, ending notes, filling tables), between notes, and
// after the last note (output, and waiting for the threads of -j); and the part of the first two that is the
// overhead of tracing opcodes that do nothing.
struct trace_engine_times {
  double before_notes, between_notes, after_notes, tracing_before, tracing_between;
};

struct trace_engine {
  // In all k-cycles, extrapolated from the timed ones.
  struct trace_engine_times estimate;
  // Events and starting notes, without the notes' init passes; timed in every k-cycle.
  uint64_t starting;
  // The ticks to create records of calls.
  uint64_t recording;
  // The number of passes that could not be recorded because memory ran out.
  uint64_t unrecorded;
  // The number of threads that performed.
  uint64_t threads;
};
struct trace_engine trace_engine(void);

// ---- Variants

// A statement, by the index of its instrument or user-defined opcode and its index there, and the variants that
// leave it out, one bit for each.
struct trace_statement {
  size_t body, index;
  uint64_t variants;
};

// Makes the traced engine perform 1 to 62 variants and the unchanged piece in turns, some k-cycles of each at a
// time, in random order with the given seed. Returns 0, or -1 without memory or if a statement does not exist.
int trace_vary(
    const struct trace_statement *statements, size_t count, size_t variants, uint64_t seed);

// The results as rows of `variants + 2` numbers: the number of k-cycles in a run, then the mean ticks of a k-cycle,
// without the starting of notes, of the unchanged piece and of each variant; NaN if the runs were disturbed. Returns
// how many numbers there are.
size_t trace_variants(const double **rows);

// ---- Functions

// An init or performance function of an opcode.
struct trace_function {
  const char *opcode;
  uint64_t address;
};

// Copies the functions of the orchestra's statements into `functions`, some of them repeatedly. Returns how many
// there are. The engine need not be traced.
size_t trace_functions(void *engine, struct trace_function *functions, size_t capacity);

// A program or library and its address range. The path is NULL if none was found, empty for the program.
struct trace_object {
  const char *path;
  uint64_t begin, end;
};

// Finds the program or library that contains an address, and copies the addresses at which its functions begin, in
// ascending order. Returns how many there are, 0 if unknown.
size_t trace_function_starts(
    uint64_t address, struct trace_object *object, uint64_t *starts, size_t capacity);

// ---- Costs

// The overhead of tracing, measured on an opcode that does nothing, in ticks: `pass` is included in the measured time
// of a pass; `entering` is measured before the first pass of a body, `repeating` before the body runs again; `whole`
// is the total by which a pass becomes longer.
struct trace_cost {
  double pass, entering, repeating, whole;
};
struct trace_cost trace_measure_cost(void);

#endif
