#include "trace.h"

__thread struct thread *trace_this_thread;
struct thread *trace_threads[most_threads];
_Atomic size_t trace_thread_count;

struct thread *trace_new_thread(void) {
  size_t number = trace_thread_count++;
  struct thread *thread = number < most_threads ? calloc(1, sizeof *thread) : NULL;
  if (thread == NULL) abort();
  thread->number = (int)number;
  thread->current = &thread->root;
  thread->cycle = UINT64_MAX;
  trace_threads[number] = trace_this_thread = thread;
  return thread;
}

void trace_begin_thread_cycle(struct thread *thread) {
  if (thread->cycle != UINT64_MAX) trace_leave_instrument(thread);
  thread->cycle = trace_cycle;
  thread->current = &thread->root;
  thread->instance = NULL;
  thread->has_performed = 0;
  thread->cycle_passes = thread->cycle_entries = thread->cycle_exact = 0;
  // A thread of -j has been waiting since its last pass.
  if (thread->number > 0 && thread->times && trace_times_cycle) {
    uint64_t now = cv_counter_in_order();
    thread->in_cycle.after_notes += now - thread->last;
    thread->last = now;
  }
  thread->times = trace_times_cycle;
  if (thread->times) thread->last = cv_counter_in_order();
}
