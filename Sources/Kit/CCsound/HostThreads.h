// The threads of `-j`. Part of Host.h.
//
// Csound's reset does not wait for them: a thread that has just computed its part of a k-cycle then finds its barrier
// gone, and crashes. And with `csoundPerformKsmps` Csound 6 never ends them. So the engine is given functions of the
// host, with which the host knows where each thread is and can end it.
#ifndef OPCODEKIT_HOST_THREADS_H
#define OPCODEKIT_HOST_THREADS_H

struct ccs_threads;

#if defined(__linux__) && !defined(OPCODEKIT_FOREIGN)
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

// All threads of an engine meet at one of two barriers, in turn, twice in a k-cycle: first at the second one.
struct ccs_barrier {
  pthread_barrier_t barrier;
  struct ccs_threads *threads;
};

struct ccs_threads {
  CSOUND *csound;
  struct ccs_barrier *barriers[2];
  int barrier_count;
  // How many threads are created beside the one that performs, and how many of them have not ended.
  int created, alive;
  // How often these threads have come to a barrier, all together, and the thread that performs has left one.
  long arrivals, turns;
  int is_ending;
  void *(*create_thread)(uintptr_t (*)(void *), void *);
};

// The threads of the engine that this thread starts.
static inline struct ccs_threads **ccs_threads_starting(void) {
  static _Thread_local struct ccs_threads *starting;
  return &starting;
}

// What a thread of `-j` belongs to; NULL in other threads. When such a thread ends in any way, it is counted.
static inline void ccs_thread_ended(void *threads) {
  __atomic_fetch_sub(&((struct ccs_threads *)threads)->alive, 1, __ATOMIC_SEQ_CST);
}
static inline pthread_key_t *ccs_thread_key(void) {
  static pthread_key_t key;
  return &key;
}
static inline void ccs_make_thread_key(void) { pthread_key_create(ccs_thread_key(), ccs_thread_ended); }

// The first two barriers of an engine are those of its threads; an opcode may make others.
static inline void *ccs_create_barrier(unsigned int count) {
  struct ccs_threads *threads = *ccs_threads_starting();
  struct ccs_barrier *made = (struct ccs_barrier *)calloc(1, sizeof *made);
  if (made == NULL) return NULL;
  pthread_barrier_init(&made->barrier, NULL, count);
  if (threads != NULL && threads->barrier_count < 2) {
    made->threads = threads;
    threads->barriers[threads->barrier_count++] = made;
  }
  return made;
}

static inline int32_t ccs_wait_at_barrier(void *place) {
  struct ccs_barrier *barrier = (struct ccs_barrier *)place;
  struct ccs_threads *threads = barrier->threads;
  int32_t status;
  if (threads == NULL) return pthread_barrier_wait(&barrier->barrier);
  if (pthread_getspecific(*ccs_thread_key()) == NULL) {
    status = pthread_barrier_wait(&barrier->barrier);
    __atomic_fetch_add(&threads->turns, 1, __ATOMIC_SEQ_CST);
    return status;
  }
  __atomic_fetch_add(&threads->arrivals, 1, __ATOMIC_SEQ_CST);
  status = pthread_barrier_wait(&barrier->barrier);
  if (__atomic_load_n(&threads->is_ending, __ATOMIC_SEQ_CST)) pthread_exit(NULL);
  return status;
}

struct ccs_thread_start {
  struct ccs_threads *threads;
  uintptr_t (*routine)(void *);
  void *data;
};
static inline uintptr_t ccs_run_thread(void *data) {
  struct ccs_thread_start start = *(struct ccs_thread_start *)data;
  free(data);
  // Nobody joins it.
  pthread_detach(pthread_self());
  pthread_setspecific(*ccs_thread_key(), start.threads);
  return start.routine(start.data);
}
// Csound makes its barriers, these threads, and only then any other thread.
static inline void *ccs_create_thread(uintptr_t (*routine)(void *), void *data) {
  struct ccs_threads *threads = *ccs_threads_starting();
  struct ccs_thread_start *start = (struct ccs_thread_start *)malloc(sizeof *start);
  void *made;
  if (start == NULL) return NULL;
  start->threads = threads;
  start->routine = routine;
  start->data = data;
  threads->alive++;
  threads->created++;
  made = threads->create_thread(ccs_run_thread, start);
  if (threads->created == ccs_thread_count(threads->csound) - 1) threads->csound->CreateThread = threads->create_thread;
  return made;
}

// Starts an engine. Gives `*made` the threads of its `-j`, NULL without any.
static inline int ccs_start(CSOUND *csound, struct ccs_threads **made) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  struct ccs_threads *threads;
  int status;
  *made = NULL;
  if (ccs_thread_count(csound) < 2) return csoundStart(csound);
  threads = (struct ccs_threads *)calloc(1, sizeof *threads);
  if (threads == NULL) return CSOUND_MEMORY;
  pthread_once(&once, ccs_make_thread_key);
  threads->csound = csound;
  threads->create_thread = csound->CreateThread;
  csound->CreateBarrier = ccs_create_barrier;
  csound->WaitBarrier = ccs_wait_at_barrier;
  csound->CreateThread = ccs_create_thread;
  *ccs_threads_starting() = threads;
  status = csoundStart(csound);
  *ccs_threads_starting() = NULL;
  csound->CreateThread = threads->create_thread;
  *made = threads;
  return status;
}

// Ends the threads of an engine that performs no more, which may be within a k-cycle that was left. Waits for those that
// still compute, at most 10 seconds; a thread that hangs is left as it is. To be called before a reset.
static inline void ccs_end_threads(struct ccs_threads *threads) {
  if (threads == NULL) return;
  for (int waits = 0; __atomic_load_n(&threads->alive, __ATOMIC_SEQ_CST) > 0; waits++) {
    if (waits == 100000) return;
    // They all wait at the same barrier for this thread. Told before, one that is just leaving the last barrier would
    // end, and the others would wait for it.
    if (__atomic_load_n(&threads->alive, __ATOMIC_SEQ_CST) == threads->created
        && __atomic_load_n(&threads->arrivals, __ATOMIC_SEQ_CST) == (threads->turns + 1) * threads->created) {
      __atomic_store_n(&threads->is_ending, 1, __ATOMIC_SEQ_CST);
      pthread_barrier_wait(&threads->barriers[(threads->turns + 1) % 2]->barrier);
      threads->turns++;
    } else {
      usleep(100);
    }
  }
  for (int index = 0; index < threads->barrier_count; index++) {
    pthread_barrier_destroy(&threads->barriers[index]->barrier);
    free(threads->barriers[index]);
  }
  free(threads);
}
#else
// Hosts are built for Linux only; a plugin for another system only reads this.
static inline int ccs_start(CSOUND *csound, struct ccs_threads **made) {
  *made = NULL;
  return csoundStart(csound);
}
static inline void ccs_end_threads(struct ccs_threads *threads) { (void)threads; }
#endif
#endif
