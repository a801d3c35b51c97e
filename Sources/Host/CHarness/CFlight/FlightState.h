// What a recorder knows, for what records and what reads.
#ifndef FLIGHT_STATE_H
#define FLIGHT_STATE_H

#include <time.h>

#include "CFlight.h"
#include "Host.h"
#include "Processor.h"

enum { first_places = 1 << 14, name_bytes = 32, most_engines = 64 };

// An opcode's own functions.
struct opcode {
  OENTRY *entry;
  SUBR initialize, perform;
  char *name;
};

// The first performance block of a note, and its own function.
struct first {
  const OPDS *block;
  SUBR perform;
};

struct flight {
  CSOUND *engine;
  struct flight_event *ring;
  size_t capacity;
  uint64_t head, cycle;
  // Ticks from which a pass and a note's share of a k-cycle are recorded.
  uint64_t pass_threshold, note_threshold;
  // A counter reading and the time then, in nanoseconds.
  uint64_t start_ticks;
  int64_t start_time;
  // All opcodes of the orchestra, in a hash table that is at most half full.
  struct opcode *opcodes;
  size_t opcode_count, opcode_capacity;
  // A hash table, too; notes beyond half of it are not timed.
  struct first firsts[first_places];
  size_t first_count;
  uint64_t ticks[flight_instruments];
  char names[flight_instruments][name_bytes];
};

static inline int64_t monotonic(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

#endif
