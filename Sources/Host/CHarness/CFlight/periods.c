#include "CFlight.h"

void flight_take_period(
    struct flight_tape *tape, int64_t begin, int64_t end, int64_t frame, uint32_t dropouts) {
  struct flight_period *period = &tape->periods[tape->count % flight_periods];
  __atomic_store_n(&period->number, 0, __ATOMIC_RELEASE);
  period->begin = begin;
  period->end = end;
  period->frame = frame;
  period->dropouts = dropouts;
  __atomic_store_n(&period->number, tape->count + 1, __ATOMIC_RELEASE);
  __atomic_store_n(&tape->count, tape->count + 1, __ATOMIC_RELEASE);
}

size_t flight_read_periods(
    const struct flight_tape *tape, struct flight_period *periods, size_t capacity) {
  uint64_t end = __atomic_load_n(&tape->count, __ATOMIC_ACQUIRE);
  uint64_t most = capacity < flight_periods ? capacity : flight_periods;
  size_t count = 0;
  for (uint64_t at = end > most ? end - most : 0; at < end; at++) {
    const struct flight_period *period = &tape->periods[at % flight_periods];
    uint64_t number = __atomic_load_n(&period->number, __ATOMIC_ACQUIRE);
    periods[count] = *period;
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    if (number == at + 1 && __atomic_load_n(&period->number, __ATOMIC_RELAXED) == number) count++;
  }
  return count;
}
