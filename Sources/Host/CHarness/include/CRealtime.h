// Linux's functions for real time that Swift cannot import from glibc.
#ifndef OPCODEKIT_CREALTIME_H
#define OPCODEKIT_CREALTIME_H

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

// The time of the monotonic clock in nanoseconds.
static inline long long realtime_now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

// Sleeps until a time of the monotonic clock, in nanoseconds, even if signals arrive.
static inline void realtime_sleep_until(long long nanoseconds) {
  struct timespec time = {nanoseconds / 1000000000LL, nanoseconds % 1000000000LL};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL) == EINTR) {}
}

// Makes a timer: a file descriptor that becomes readable at the time that `realtime_wait` sets.
static inline int realtime_timer(void) {
  return timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
}

// Waits until the monotonic clock reaches `nanoseconds` (0 for no limit), or until `alarm`, an eventfd, is
// written to.
static inline void realtime_wait(int timer, int alarm, long long nanoseconds) {
  struct itimerspec when = {.it_value = {nanoseconds / 1000000000LL, nanoseconds % 1000000000LL}};
  timerfd_settime(timer, TFD_TIMER_ABSTIME, &when, NULL);
  struct pollfd both[2] = {{.fd = timer, .events = POLLIN}, {.fd = alarm, .events = POLLIN}};
  poll(both, 2, -1);
  uint64_t count;
  if (read(alarm, &count, sizeof count) < 0) return;
}

// Gives this thread a real-time priority (SCHED_FIFO), which programs that it starts do not inherit. Returns
// 0 or an errno.
static inline int realtime_prioritise(int priority) {
  struct sched_param parameters = {.sched_priority = priority};
  // SCHED_RESET_ON_FORK
  return pthread_setschedparam(pthread_self(), SCHED_FIFO | 0x40000000, &parameters);
}

// Maps the same memory twice in a row, so that bytes written beyond its end appear at its beginning. `bytes`
// is a multiple of the page size. Returns NULL with errno set if that fails.
static inline char *realtime_map_twice(size_t bytes) {
  int file = (int)syscall(SYS_memfd_create, "ring", 1u);
  if (file < 0) return NULL;
  char *base = MAP_FAILED;
  if (ftruncate(file, (off_t)bytes) == 0)
    base = (char *)mmap(NULL, 2 * bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (base != MAP_FAILED) {
    for (int half = 0; half < 2; half++) {
      void *place = mmap(
        base + (size_t)half * bytes, bytes, PROT_READ | PROT_WRITE,
        MAP_SHARED | MAP_FIXED | MAP_POPULATE, file, 0);
      if (place == MAP_FAILED) {
        munmap(base, 2 * bytes);
        base = MAP_FAILED;
        break;
      }
    }
  }
  int error = errno;
  close(file);
  errno = error;
  return base == MAP_FAILED ? NULL : base;
}

static inline void realtime_unmap_twice(char *base, size_t bytes) { munmap(base, 2 * bytes); }

#endif
