// Watches code for calls that a performance pass must not make: allocations, locks, system calls; and for errors in
// its use of the heap.
#ifndef OPCODEKIT_CWATCH_H
#define OPCODEKIT_CWATCH_H

#include <stddef.h>
#include <stdint.h>

// The number of forbidden calls of one kind, and the first of them.
struct watched {
  uint64_t count;
  // The name of the function called, or NULL; for a system call, its number.
  const char *function;
  long number;
  // The address of the instruction after the first call.
  const void *caller;
};

struct watch_report {
  struct watched allocations, locks, system_calls;
};

// Replaces the functions that allocate and lock, in every library loaded so far, by functions that count calls while
// the calling thread is watched. To be called once in a process.
void watch_install(void);

// Does the same in the program itself, for code that is linked into it. To be called after `watch_install`.
void watch_install_program(void);

// Whether system calls are watched, which needs Linux 5.11 or newer and permission. Valid after `watch_install`.
int watch_sees_system_calls(void);

// Forbidden calls of the calling thread between `watch_enter` and `watch_leave` are added to the report.
void watch_enter(void);
void watch_leave(void);
struct watch_report watch_result(void);
void watch_reset(void);

// From now on, marks the end of every heap block and counts blocks, in every library loaded so far except those of the
// Swift runtime, which uses blocks beyond the size it requested. To be called once in a process.
void watch_install_heap(void);

struct watch_heap {
  // The number of blocks allocated since `watch_install_heap` and not yet freed, and the sum of their sizes in bytes.
  int64_t blocks, bytes;
  // The number of blocks whose end was found overwritten when they were freed.
  int64_t overruns;
  // The requested size of the first such block in bytes, and the address from which it was freed or reallocated.
  size_t size;
  const void *caller;
};
struct watch_heap watch_heap_result(void);

// From now on, gives heap blocks of 144 bytes or more their own pages; access to such a block after it was freed ends
// the process. Applies to every library loaded so far except those of the Swift runtime. To be called once in a
// process, instead of the functions above.
void watch_guard_heap(void);

// From now on, makes heap blocks of 256 bytes or more begin on a page, in every library loaded so far except those of
// the Swift runtime. To be called once in a process, instead of the functions above.
void watch_align_heap(void);

// The library and the function that contain an address; NULL if the loader does not know them.
const char *watch_library(const void *address);
const char *watch_function(const void *address);

#endif
