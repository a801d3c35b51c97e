#define _GNU_SOURCE
#include <sys/resource.h>

#include "CFlight.h"

static int64_t microseconds(struct timeval time) { return time.tv_sec * 1000000LL + time.tv_usec; }

void flight_take_period(
    struct flight_tape *tape, int64_t begin, int64_t end, int64_t frame, uint32_t dropouts) {
  struct rusage usage;
  getrusage(RUSAGE_THREAD, &usage);
  int64_t busy = microseconds(usage.ru_utime) + microseconds(usage.ru_stime);
  struct flight_period *period = &tape->periods[tape->count % flight_periods];
  __atomic_store_n(&period->number, 0, __ATOMIC_RELEASE);
  period->begin = begin;
  period->end = end;
  period->frame = frame;
  int is_first = tape->count == 0;
  period->busy = is_first ? 0 : busy - tape->busy;
  period->waits = is_first ? 0 : (uint32_t)(usage.ru_nvcsw - tape->waits);
  period->interruptions = is_first ? 0 : (uint32_t)(usage.ru_nivcsw - tape->interruptions);
  period->disk_faults = is_first ? 0 : (uint32_t)(usage.ru_majflt - tape->disk_faults);
  period->faults = is_first ? 0 : (uint32_t)(usage.ru_minflt - tape->faults);
  period->dropouts = dropouts;
  tape->busy = busy;
  tape->waits = usage.ru_nvcsw;
  tape->interruptions = usage.ru_nivcsw;
  tape->disk_faults = usage.ru_majflt;
  tape->faults = usage.ru_minflt;
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
