// A flight recorder: what an engine did lately, in a ring of fixed memory. While it records it allocates nothing, takes
// no lock and makes no system call; it reads the processor's time-stamp counter.
//
// The functions of opcodes are replaced, and the first performance function of each note. Where recording the passes
// would cost more than 3 % of the piece's time, opcodes get their functions back. Then the passes of a note's own
// statements are recorded in few k-cycles only, once each: the first block takes the others.
#ifndef OPCODEKIT_CFLIGHT_H
#define OPCODEKIT_CFLIGHT_H

#include <stddef.h>
#include <stdint.h>

enum flight_kind {
  flight_cycle = 1,
  // The start of a note: from its first init pass to its last.
  flight_start,
  // Init or performance pass of one opcode that took longer than the threshold.
  flight_init,
  flight_call,
  // All performance passes of an instrument's notes in one k-cycle, if they took longer than the threshold.
  flight_note,
  // The engine's own work before a note's init passes or before the first note, if it took longer than the threshold:
  // events, tables of the score, memory for notes.
  flight_engine,
  // With -j: a thread had no note to perform, as others were not ready.
  flight_wait
};

// From `begin` to `end`, in ticks of the counter. The `line` of a k-cycle is 1 if it is one of few whose passes are
// recorded. `instrument` is Csound's number, 0 if there is none.
struct flight_event {
  uint64_t number, begin, end;
  uint32_t line;
  uint16_t instrument, opcode, kind;
  // 0 for the thread that performs the k-cycle, from 1 on those of -j.
  uint16_t thread;
};

struct flight;

// Seconds that the ring holds at least, except at a very small ksmps.
enum { flight_seconds = 12 };

enum flight_detail {
  // What takes long, while that costs little.
  flight_brief,
  // The same to a finer grain, at any cost, for a reader that reads every few hundred k-cycles.
  flight_whole,
  // Every pass and every note; the reader reads every few k-cycles.
  flight_everything
};

// Begins to record an engine that is compiled, not started, and to be performed by so many threads. NULL without memory.
struct flight *flight_attach(void *engine, enum flight_detail detail, int threads);
// Frees the recorder. The engine must be destroyed before.
void flight_free(struct flight *flight);

// To be called before and after each k-cycle, on the thread that performs it.
void flight_begin_cycle(struct flight *flight);
void flight_end_cycle(struct flight *flight);

// Copies the events from number `*from` on, and sets `*from` to the number after them. Events that were overwritten are
// left out. Any thread may call it.
size_t flight_read(
    const struct flight *flight, uint64_t *from, struct flight_event *events, size_t capacity);

// The name of an opcode, and of an instrument that has one and played; else NULL. Valid until `flight_free`.
const char *flight_opcode(const struct flight *flight, size_t index);
const char *flight_instrument(const struct flight *flight, size_t number);

enum { flight_instruments = 2048 };
// In one k-cycle of how many passes of opcodes are recorded; 0 for all.
uint64_t flight_rest(const struct flight *flight);
// Copies the ticks that each instrument took so far, unless NULL. Returns the number of k-cycles so far.
uint64_t flight_ticks(const struct flight *flight, uint64_t *ticks);

// A statement, and the ticks that its passes took so far.
struct flight_line {
  uint64_t ticks;
  uint32_t line;
  uint16_t opcode, instrument;
};
enum { flight_most_lines = 2048 };
// Copies the lines whose passes were recorded, and sets the ticks of the k-cycles in which they were. Passes within others,
// as in user-defined opcodes, are in those.
size_t flight_lines(
    const struct flight *flight, struct flight_line *lines, size_t capacity, uint64_t *all);

enum flight_access { flight_reads = 1, flight_writes = 2, flight_adds = 4 };
// Calls `take` for each global variable that an instrument's own statements use, and for what opcodes share, such as
// `##chn`, as Csound does for -j. Additions by `+=` alone have an access of their own.
void flight_shared(
    const struct flight *flight, size_t instrument,
    void (*take)(void *context, const char *name, enum flight_access access), void *context);

// The counter, its ticks in a second, and the time of the monotonic clock in nanoseconds at which it has a value.
uint64_t flight_now(void);
double flight_rate(const struct flight *flight);
double flight_time(const struct flight *flight, uint64_t ticks);

// ---- Periods of an audio thread

// What the thread did from the end of the period before to the end of this one.
struct flight_period {
  uint64_t number;
  // Computing, in nanoseconds of the monotonic clock; the first frame of the piece that was computed.
  int64_t begin, end, frame;
  // All dropouts so far.
  uint32_t dropouts;
};

enum { flight_periods = 1 << 13 };
struct flight_tape {
  struct flight_period periods[flight_periods];
  uint64_t count;
};

// To be called by the audio thread when a period is computed.
void flight_take_period(
    struct flight_tape *tape, int64_t begin, int64_t end, int64_t frame, uint32_t dropouts);
// Copies the last periods, the oldest first. Any thread may call it.
size_t flight_read_periods(
    const struct flight_tape *tape, struct flight_period *periods, size_t capacity);

#endif
