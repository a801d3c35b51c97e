// A flight recorder: what an engine did lately, in a ring of fixed memory. While it records it allocates nothing, takes
// no lock and makes no system call; it reads the processor's time-stamp counter.
//
// Only the init functions of opcodes and the first performance function of each note are replaced, so that it costs a
// reading or two of the counter for each note in a k-cycle. With `calls` every performance function is replaced.
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
  flight_engine
};

// From `begin` to `end`, in ticks of the counter. `instrument` is Csound's number, 0 if there is none.
struct flight_event {
  uint64_t number, begin, end;
  uint32_t line;
  uint16_t instrument, opcode;
  uint32_t kind;
};

struct flight;

// Begins to record an engine that is compiled and not started. `capacity` is the number of events in the ring, a power
// of two. NULL without memory.
struct flight *flight_attach(void *engine, int calls, size_t capacity);
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
// Copies the ticks that each instrument took so far. Returns the number of k-cycles so far.
uint64_t flight_ticks(const struct flight *flight, uint64_t *ticks);

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
  // The processor time in microseconds; how often it waited of itself and was interrupted, and its page faults, with and
  // without reading from a disk; and all dropouts so far.
  int64_t busy;
  uint32_t waits, interruptions, disk_faults, faults, dropouts;
};

enum { flight_periods = 1 << 13 };
struct flight_tape {
  struct flight_period periods[flight_periods];
  uint64_t count;
  int64_t busy, waits, interruptions, disk_faults, faults;
};

// To be called by the audio thread when a period is computed. It makes one system call, getrusage.
void flight_take_period(
    struct flight_tape *tape, int64_t begin, int64_t end, int64_t frame, uint32_t dropouts);
// Copies the last periods, the oldest first. Any thread may call it.
size_t flight_read_periods(
    const struct flight_tape *tape, struct flight_period *periods, size_t capacity);

#endif
