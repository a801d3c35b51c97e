// What a recorder knows, for what records and what reads.
#ifndef FLIGHT_STATE_H
#define FLIGHT_STATE_H

#include <time.h>

#include "CFlight.h"
#include "Host.h"
#include "Processor.h"

enum { first_places = 1 << 15, line_places = 1 << 12, name_bytes = 32, most_engines = 64, judged_cycles = 64 };

// An opcode's own functions.
struct opcode {
  OENTRY *entry;
  SUBR initialize, perform;
  char *name;
};

// A block whose init pass has chosen its function.
struct first {
  const OPDS *block;
  SUBR perform;
};

// A statement, and the ticks of its passes.
struct line {
  const OPTXT *text;
  uint64_t ticks;
  struct flight_line what;
};

struct flight {
  CSOUND *engine;
  struct flight_event *ring;
  size_t capacity;
  uint64_t head, cycle;
  // When the k-cycle began, and the one before ended.
  uint64_t cycle_begin, cycle_end;
  // Ticks from which a pass and a note's share of a k-cycle are recorded, raised by so many doublings.
  uint64_t pass_threshold, note_threshold;
  int shift;
  // Whether thresholds stay as they are; with threads of -j; each note apart.
  int is_whole, is_threaded, has_each_note;
  // In one k-cycle of how many passes of opcodes are recorded; 0 for all.
  uint64_t rest;
  // Threads of -j that have performed.
  unsigned threads;
  // What a k-cycle lasts, and what recording a pass costs, in ticks.
  uint64_t cycle_ticks, call_ticks;
  // Lately: passes, and ticks of k-cycles, judged from `judged_ticks` on. `head` at the last judgement, and how many
  // events there may be until the next.
  uint64_t calls, ticks_in_cycles, judged_ticks, judged_head, judged_room;
  // A counter reading and the time then, in nanoseconds.
  uint64_t start_ticks;
  int64_t start_time;
  // All opcodes of the orchestra, in a hash table that is at most half full. Place 0 is free: it stands for no opcode.
  struct opcode *opcodes;
  size_t opcode_capacity;
  // A hash table, too; blocks beyond half of it are not timed.
  struct first firsts[first_places];
  size_t first_count;
  // The same; and the ticks of the k-cycles whose passes were recorded.
  struct line lines[line_places];
  size_t line_count;
  uint64_t line_ticks;
  uint64_t ticks[flight_instruments];
  char names[flight_instruments][name_bytes];
  // The statements of the instruments that have played.
  const INSTRTXT *texts[flight_instruments];
};

static inline int64_t monotonic(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static inline size_t mixed(const void *pointer) {
  size_t mixed = (size_t)pointer * 0xBF58476D1CE4E5B9u;
  return mixed ^ (mixed >> 29);
}

static inline struct opcode *known_opcode(const struct flight *flight, const OENTRY *entry) {
  for (size_t at = mixed(entry);; at++) {
    struct opcode *opcode = &flight->opcodes[1 + (at & (flight->opcode_capacity - 1))];
    if (opcode->entry == entry || opcode->entry == NULL) return opcode;
  }
}

// Adds to a count that others read, and with -j add to, too. Returns what it was.
static inline uint64_t add(const struct flight *flight, uint64_t *count, uint64_t more) {
  if (flight->is_threaded) return __atomic_fetch_add(count, more, __ATOMIC_RELAXED);
  uint64_t before = *count;
  __atomic_store_n(count, before + more, __ATOMIC_RELAXED);
  return before;
}

// Adds the ticks of a pass to those of its line.
static inline void add_to_line(
    struct flight *flight, const OPDS *block, const struct opcode *opcode, uint64_t ticks) {
  const OPTXT *text = block->optext;
  for (size_t at = mixed(text);; at++) {
    struct line *line = &flight->lines[at & (line_places - 1)];
    const OPTXT *known = __atomic_load_n(&line->text, __ATOMIC_ACQUIRE);
    if (known == NULL) {
      if (__atomic_load_n(&flight->line_count, __ATOMIC_RELAXED) >= line_places / 2) return;
      if (__atomic_compare_exchange_n(
              &line->text, &known, text, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
        __atomic_fetch_add(&flight->line_count, 1, __ATOMIC_RELAXED);
        line->what = (struct flight_line){
            0, text->t.linenum, (uint16_t)(opcode - flight->opcodes),
            (uint16_t)block->insdshead->insno};
        known = text;
      }
    }
    if (known != text) continue;
    add(flight, &line->ticks, ticks);
    return;
  }
}

// The recorders that record.
extern struct flight *flight_engines[most_engines];
// Replaces the functions of the orchestra's opcodes. 0 without memory.
int flight_take_opcodes(struct flight *flight);

// What a thread is doing.
struct now {
  struct flight *flight;
  // The k-cycle that this is about, its begin, and the end of what was charged last.
  uint64_t cycle, begin, last;
  // The instrument whose notes perform, from `note_begin`; 0 if none does. The note that starts.
  int note;
  uint64_t note_begin;
  const INSDS *starting;
  uint64_t start_begin, start_end;
  // The block of the last init pass, and those to which loops and user-defined opcodes have returned lately.
  const OPDS *passed, *targets[4];
  unsigned target_count;
  // How many init passes and performance passes this is inside of; whether the k-cycle is one of the few with all passes.
  int depth, inside, samples;
  // How many passes of opcodes were recorded in the k-cycle, and from which length on.
  uint64_t calls, threshold;
  // How many k-cycles the notes of this one stand for; 0 if they are not measured.
  uint64_t weight;
  // The first statement of the instrument that performs, and its function.
  const OPTXT *text;
  SUBR function;
  // 0 for the thread that performs the k-cycle, then those of -j; whether it has performed a note in the k-cycle.
  unsigned thread;
  int has_performed;
};

#endif
