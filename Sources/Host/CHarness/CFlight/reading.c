#define _GNU_SOURCE
#include "FlightState.h"

// ---- Clocks

uint64_t flight_now(void) { return cv_counter(); }

double flight_rate(const struct flight *flight) {
  int64_t elapsed = monotonic() - flight->start_time;
  return (double)(cv_counter() - flight->start_ticks) / (double)elapsed * 1e9;
}

double flight_time(const struct flight *flight, uint64_t ticks) {
  double seconds = (double)(int64_t)(ticks - flight->start_ticks) / flight_rate(flight);
  return (double)flight->start_time + seconds * 1e9;
}

// ---- Reading

size_t flight_read(
    const struct flight *flight, uint64_t *from, struct flight_event *events, size_t capacity) {
  uint64_t head = __atomic_load_n(&flight->head, __ATOMIC_ACQUIRE);
  if (head > flight->capacity && *from < head - flight->capacity) *from = head - flight->capacity;
  size_t count = 0;
  for (; *from < head && count < capacity; ++*from) {
    const struct flight_event *event = &flight->ring[*from & (flight->capacity - 1)];
    uint64_t number = __atomic_load_n(&event->number, __ATOMIC_ACQUIRE);
    events[count] = *event;
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    if (number == *from + 1 && __atomic_load_n(&event->number, __ATOMIC_RELAXED) == number) count++;
  }
  return count;
}

const char *flight_opcode(const struct flight *flight, size_t index) {
  return index < flight->opcode_capacity ? flight->opcodes[index].name : NULL;
}

const char *flight_instrument(const struct flight *flight, size_t number) {
  return number < flight_instruments && flight->names[number][0] != 0 ? flight->names[number] : NULL;
}

uint64_t flight_ticks(const struct flight *flight, uint64_t *ticks) {
  for (size_t index = 0; index < flight_instruments; index++)
    ticks[index] = __atomic_load_n(&flight->ticks[index], __ATOMIC_RELAXED);
  return __atomic_load_n(&flight->cycle, __ATOMIC_RELAXED);
}
