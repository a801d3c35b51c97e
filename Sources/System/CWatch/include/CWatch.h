// Watches what code does that performance must not: allocate, wait for a lock, call the system; and
// what it does to the heap. Everything else in the process goes on unwatched.
#ifndef OPCODEKIT_CWATCH_H
#define OPCODEKIT_CWATCH_H

#include <stddef.h>
#include <stdint.h>

// Where a forbidden call came from; `count` is 0 when there was none.
struct watched {
  uint64_t count;
  // The function's name, or NULL; of a system call, its number.
  const char *function;
  long number;
  // The instruction after the first call.
  const void *caller;
};

struct watch_report {
  struct watched allocations, locks, system_calls;
};

// Redirects the functions that allocate and lock, in every library loaded by now, to counterparts
// that count while the calling thread is watched. Once in a process.
void watch_install(void);

// The same in the program itself, for what is linked into it. After `watch_install`.
void watch_install_program(void);

// Whether system calls can be watched, which needs Linux 5.11 and its permission.
int watch_sees_system_calls(void);

// What the calling thread does from `watch_enter` to `watch_leave` is added to the report.
void watch_enter(void);
void watch_leave(void);
struct watch_report watch_result(void);
void watch_reset(void);

// Marks the end of every heap block from now on and counts blocks, in every library loaded by now
// except the Swift runtime's, which uses a block beyond the size it asked for. Once in a process.
void watch_install_heap(void);

struct watch_heap {
  // Blocks allocated since `watch_install_heap` and not yet freed, and their bytes.
  int64_t blocks, bytes;
  // Blocks whose end had been written over when they were freed.
  int64_t overruns;
  // The size asked for in the first of them, and who asked.
  size_t size;
  const void *caller;
};
struct watch_heap watch_heap_result(void);

// Gives heap blocks of 144 bytes or more pages of their own from now on, which nobody can touch after
// they are freed: what does ends the process. In every library loaded by now except the Swift
// runtime's. Once in a process, instead of the above.
void watch_guard_heap(void);

// Lets heap blocks of 256 bytes or more begin on a page from now on, in every library loaded by now
// except the Swift runtime's. Once in a process, instead of the above.
void watch_align_heap(void);

// The library and function an address lies in; NULL where the loader does not know.
const char *watch_library(const void *address);
const char *watch_function(const void *address);

#endif
