#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/mman.h>

#include "FlightState.h"

static void *map(size_t bytes) {
  void *memory = mmap(
      NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

// By how many ticks recording makes the pass of an opcode longer: the least of several tries.
static uint64_t cost_of_call(struct flight *flight) {
  enum { tries = 20, calls = 200 };
  uint64_t least = UINT64_MAX;
  for (int number = 0; number < tries; number++) {
    uint64_t begin = cv_counter(), sum = 0;
    for (size_t call = 0; call < calls; call++) {
      uint64_t time = cv_counter();
      OENTRY *entry = flight->opcodes[call & (flight->opcode_capacity - 1)].entry;
      if (known_opcode(flight, entry)->entry != NULL) sum++;
      if (flight->lines[mixed(entry) & (line_places - 1)].ticks == sum) sum++;
      sum += cv_counter() - time;
      __asm__ volatile("" : : "r"(sum) : "memory");
    }
    uint64_t elapsed = cv_counter() - begin;
    if (elapsed < least) least = elapsed;
  }
  return 1 + least / calls;
}

struct flight *flight_attach(void *engine, enum flight_detail detail, int threads) {
  struct flight *flight = map(sizeof *flight);
  double cycle = csoundGetKsmps(engine) / ccs_engine_sample_rate(engine);
  // Room for some events in each k-cycle of the seconds that it should hold.
  size_t capacity = 1 << 17, place = 0;
  while (capacity < 1 << 20 && (double)capacity * cycle < 2 * flight_seconds) capacity *= 2;
  struct flight_event *ring = map(capacity * sizeof *ring);
  if (flight == NULL || ring == NULL) {
    if (flight != NULL) munmap(flight, sizeof *flight);
    if (ring != NULL) munmap(ring, capacity * sizeof *ring);
    return NULL;
  }
  flight->engine = engine;
  flight->ring = ring;
  flight->capacity = capacity;
  flight->is_whole = detail != flight_brief;
  flight->is_threaded = threads > 1;
  flight->has_each_note = threads > 1 || detail == flight_everything;
  flight->start_time = monotonic();
  flight->start_ticks = cv_counter();
  // Long enough to know the counter's rate to a part in a thousand, which the thresholds need.
  while (monotonic() - flight->start_time < 1000000) cv_wait_a_little();
  double rate = flight_rate(flight), pass = cycle / (flight->is_whole ? 256 : 64);
  if (pass > 50e-6) pass = 50e-6;
  if (pass < 2e-6) pass = 2e-6;
  flight->cycle_ticks = (uint64_t)(rate * cycle);
  if (detail != flight_everything) {
    // With -j each note is recorded, and they are short.
    flight->note_threshold = flight->is_threaded ? 0 : flight->cycle_ticks / 64;
    flight->pass_threshold = (uint64_t)(rate * pass);
  }
  flight->judged_ticks = (uint64_t)(rate * 0.02);
  flight->judged_room = (uint64_t)((double)capacity * judged_cycles * cycle / flight_seconds);
  // Other threads may begin to record at the same time.
  struct flight *none = NULL;
  while (place < most_engines && !__atomic_compare_exchange_n(
      &flight_engines[place], &none, flight, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
    (none = NULL, place++);
  if (place == most_engines || !flight_take_opcodes(flight)) {
    flight_free(flight);
    return NULL;
  }
  flight->call_ticks = cost_of_call(flight);
  return flight;
}

void flight_free(struct flight *flight) {
  for (size_t index = 0; index < most_engines; index++)
    if (flight_engines[index] == flight) __atomic_store_n(&flight_engines[index], NULL, __ATOMIC_RELEASE);
  for (size_t index = 1; flight->opcodes != NULL && index <= flight->opcode_capacity; index++)
    free(flight->opcodes[index].name);
  free(flight->opcodes);
  munmap(flight->ring, flight->capacity * sizeof *flight->ring);
  munmap(flight, sizeof *flight);
}
