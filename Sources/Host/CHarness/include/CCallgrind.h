// Requests of a program to Callgrind: valgrind's client requests, which do nothing without valgrind. They
// are copied here from /usr/include/valgrind/callgrind.h, so that the tool can be built without valgrind.
#ifndef OPCODEKIT_CCALLGRIND_H
#define OPCODEKIT_CCALLGRIND_H

#include <stdint.h>

enum ccg_request {
  ccg_running_on_valgrind = 0x1001,
  ccg_zero = 'C' << 24 | 'T' << 16 | 1,
  ccg_toggle_collect,
  ccg_dump_at,
  ccg_start_instrumentation,
  ccg_stop_instrumentation,
};

// Makes a request and returns the answer. The code is the sequence that valgrind recognises: rotations by
// 128 bits in all, then an instruction without effect. One register points to the request and its
// arguments; another returns the answer.
static inline uint64_t ccg_ask(enum ccg_request request, const void *argument) {
  volatile uint64_t words[6] = {request, (uint64_t)(uintptr_t)argument};
  uint64_t answer = 0;
#if defined(__aarch64__)
  register uint64_t result __asm__("x3") = 0;
  register volatile uint64_t *place __asm__("x4") = words;
  __asm__ volatile("ror x12, x12, #3\n\tror x12, x12, #13\n\tror x12, x12, #51\n\tror x12, x12, #61\n\t"
                   "orr x10, x10, x10"
                   : "+r"(result)
                   : "r"(place)
                   : "cc", "memory");
  answer = result;
#else
  __asm__ volatile("rolq $3, %%rdi\n\trolq $13, %%rdi\n\trolq $61, %%rdi\n\trolq $51, %%rdi\n\t"
                   "xchgq %%rbx, %%rbx"
                   : "+d"(answer)
                   : "a"(words)
                   : "cc", "memory");
#endif
  return answer;
}

#endif
