// The registers of a thread that was stopped by a signal; for C compiled with _GNU_SOURCE.
#ifndef OPCODEKIT_REGISTERS_H
#define OPCODEKIT_REGISTERS_H

#include <ucontext.h>

// The registers of a system call: its number (place -1), its arguments (places 0 to 5), and its
// result.
#if defined(__aarch64__)

typedef unsigned long long cv_register;
static inline cv_register *cv_call_register(mcontext_t *machine, int place) {
  return &machine->regs[place < 0 ? 8 : place];
}
static inline cv_register *cv_result_register(mcontext_t *machine) { return &machine->regs[0]; }
static inline const void *cv_instruction(const mcontext_t *machine) {
  return (const void *)machine->pc;
}

#else

typedef greg_t cv_register;
static inline cv_register *cv_call_register(mcontext_t *machine, int place) {
  static const int registers[] = {REG_RDI, REG_RSI, REG_RDX, REG_R10, REG_R8, REG_R9};
  return &machine->gregs[place < 0 ? REG_RAX : registers[place]];
}
static inline cv_register *cv_result_register(mcontext_t *machine) {
  return &machine->gregs[REG_RAX];
}
static inline const void *cv_instruction(const mcontext_t *machine) {
  return (const void *)machine->gregs[REG_RIP];
}

#endif
#endif
