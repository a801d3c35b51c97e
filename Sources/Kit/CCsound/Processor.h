// Operations that differ between processors and that the compiler does not abstract: subnormal modes, the cycle
// counter, the pause hint for spin loops. All code specific to x86-64 or arm64 is here, except for relocations (CElf),
// the registers of a signal context (Registers.h), requests to valgrind (CCallgrind) and the code locations that
// Callgrind distinguishes (CTrace/sites.S).
#ifndef OPCODEKIT_PROCESSOR_H
#define OPCODEKIT_PROCESSOR_H

#include <stdint.h>

#if defined(__x86_64__)

#include <x86intrin.h>

// ---- SSE's control and status register (MXCSR): bit 15 flushes subnormal results to zero, bit 6 reads
//      subnormal operands as zero; bits 0 to 5 are the exception flags, of which bit 1 means a subnormal
//      operand.

enum { cv_float_mode_csound = 0x9FC0, cv_float_mode_precise = 0x1F80, cv_float_events = 0x3F };
#define CV_FLOAT_REGISTER "MXCSR"

static inline uint64_t cv_get_float_mode(void) { return _mm_getcsr() & ~(uint32_t)cv_float_events; }
static inline void cv_set_float_mode(uint64_t mode) { _mm_setcsr((uint32_t)mode); }
static inline void cv_forget_float_events(void) { _mm_setcsr(_mm_getcsr() & ~(uint32_t)cv_float_events); }
static inline int cv_has_met_subnormals(void) { return (_mm_getcsr() & 2) != 0; }

// ---- The time-stamp counter; the second function reads it after all earlier instructions, including loads,
//      have completed.

static inline uint64_t cv_counter(void) { return __rdtsc(); }
static inline uint64_t cv_counter_in_order(void) {
  _mm_lfence();
  return __rdtsc();
}

static inline void cv_wait_a_little(void) { _mm_pause(); }

#elif defined(__aarch64__)

// ---- FPCR: bit 24 flushes subnormal results to zero and reads subnormal operands as zero. FPSR holds the
//      exception flags: bit 7 an operand that was read as zero, bit 3 a result too small.

enum { cv_float_mode_csound = 1 << 24, cv_float_mode_precise = 0, cv_float_events = 0x9F };
#define CV_FLOAT_REGISTER "FPCR"

static inline uint64_t cv_get_float_mode(void) {
  uint64_t mode;
  __asm__ volatile("mrs %0, fpcr" : "=r"(mode));
  return mode;
}
static inline void cv_set_float_mode(uint64_t mode) { __asm__ volatile("msr fpcr, %0" : : "r"(mode)); }
static inline uint64_t cv_get_float_events(void) {
  uint64_t events;
  __asm__ volatile("mrs %0, fpsr" : "=r"(events));
  return events;
}
static inline void cv_forget_float_events(void) {
  __asm__ volatile("msr fpsr, %0" : : "r"(cv_get_float_events() & ~(uint64_t)cv_float_events));
}
static inline int cv_has_met_subnormals(void) { return (cv_get_float_events() & 0x88) != 0; }

// ---- The generic timer, which is slower than the processor clock: 1 to 1000 MHz.

static inline uint64_t cv_counter(void) {
  uint64_t ticks;
  __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
  return ticks;
}
static inline uint64_t cv_counter_in_order(void) {
  __asm__ volatile("isb" : : : "memory");
  return cv_counter();
}

static inline void cv_wait_a_little(void) { __asm__ volatile("yield"); }

#elif defined(__wasm__)

// ---- WebAssembly has neither: subnormals are always computed, there is no counter, and one thread. Only tools, which
//      do not run there, use these functions.

enum { cv_float_mode_csound = 0, cv_float_mode_precise = 0 };
#define CV_FLOAT_REGISTER "none"

static inline uint64_t cv_get_float_mode(void) { return 0; }
static inline void cv_set_float_mode(uint64_t mode) { (void)mode; }
static inline void cv_forget_float_events(void) {}
static inline int cv_has_met_subnormals(void) { return 0; }
static inline uint64_t cv_counter(void) { return 0; }
static inline uint64_t cv_counter_in_order(void) { return 0; }
static inline void cv_wait_a_little(void) {}

#else
#error "OpcodeKit knows x86-64, arm64 and wasm32 only; their differences are in Sources/Kit/CCsound/Processor.h."
#endif

static inline const char *cv_float_register(void) { return CV_FLOAT_REGISTER; }

#endif
