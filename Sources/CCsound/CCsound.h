// Csound's plugin and host interfaces as one Swift module, plus what Swift cannot import or cannot
// prove real-time safe: variadic members, calls through function pointers, libm and the SSE control
// register. Everything that depends on Csound's version is here and in OpcodeKit/CsoundInterface.swift.
#ifndef OPCODEKIT_CCSOUND_H
#define OPCODEKIT_CCSOUND_H

#ifndef USE_DOUBLE
#define USE_DOUBLE 1
#endif

// Order matters: csdl.h first would hide the host interface.
#include <csound/csound.h>
#include <csound/csdl.h>

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <xmmintrin.h>

_Static_assert(CS_VERSION == 6 && CS_SUBVER == 18, "OpcodeKit is written against Csound 6.18");
_Static_assert(sizeof(MYFLT) == 8, "OpcodeKit needs the double-precision build of Csound");
_Static_assert(sizeof(OPDS) == 48, "an opcode's block must begin with a 48-byte OPDS");

// ---- What csoundModuleInfo must return: API version and the size of MYFLT.

static inline int ccs_module_info(void) {
  return (CS_APIVERSION << 16) + (CS_APISUBVER << 8) + (int)sizeof(MYFLT);
}

// Keeps the library this is compiled into in memory for good. Csound unloads plugins at every reset
// and loads them again, which a library with the Swift runtime in it does not survive.

//
// glibc declares dladdr only for C compiled with _GNU_SOURCE, which Swift's modules are not.

struct ccs_library_info {
  const char *path;
  void *base;
  const char *symbol;
  void *symbol_address;
};
extern int ccs_find_library(const void *address, struct ccs_library_info *info) __asm__("dladdr");

static inline void ccs_stay_loaded(void) {
  struct ccs_library_info info;
  if (ccs_find_library((const void *)&ccs_module_info, &info) != 0 && info.path != NULL)
    dlopen(info.path, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE);
}

// ---- Engine-wide values [any pass: no allocation, no locks]

static inline double ccs_sample_rate(CSOUND *csound) { return csound->GetSr(csound); }
static inline double ccs_full_scale(CSOUND *csound) { return csound->Get0dBFS(csound); }
static inline double ccs_a4_hz(CSOUND *csound) { return csound->GetA4(csound); }

// ---- Errors [init pass only: from a performance pass InitError jumps out of its caller]

static inline int ccs_opcode_name_length(const char *name) {
  int length = 0;
  while (name[length] != '\0' && name[length] != '.') length++;
  return length;
}

static inline int ccs_init_error(CSOUND *csound, void *block, const char *text) {
  const char *name = csound->GetOpcodeName(block);
  return csound->InitError(csound, "%.*s: %s", ccs_opcode_name_length(name), name, text);
}

static inline int ccs_init_error_argument(CSOUND *csound, void *block, const char *argument,
                                          double found, const char *allowed) {
  const char *name = csound->GetOpcodeName(block);
  return csound->InitError(csound, "%.*s: '%s' is %.10g; it must be %s.",
                           ccs_opcode_name_length(name), name, argument, found, allowed);
}

// ---- Text for registration problems: `format` takes the overload's name and two numbers.

static inline void ccs_format_problem(char *text, size_t capacity, const char *format,
                                      const char *name, long first, long second) {
  snprintf(text, capacity, format, name, first, second);
}

static inline void ccs_warn(CSOUND *csound, const char *text) {
  csound->ErrorMsg(csound, "%s\n", text);
}

// ---- libm, which Embedded Swift has no module for

static inline double ccs_exp(double x) { return __builtin_exp(x); }
static inline double ccs_pow(double x, double y) { return __builtin_pow(x, y); }
static inline double ccs_log2(double x) { return __builtin_log2(x); }
static inline double ccs_tanh(double x) { return __builtin_tanh(x); }
static inline double ccs_sin(double x) { return __builtin_sin(x); }
static inline double ccs_cos(double x) { return __builtin_cos(x); }

// ---- SSE control and status register: bit 15 flushes subnormal results to zero, bit 6 reads
//      subnormal operands as zero.

static inline uint32_t ccs_get_float_mode(void) { return _mm_getcsr(); }
static inline void ccs_set_float_mode(uint32_t mode) { _mm_setcsr(mode); }

#endif
