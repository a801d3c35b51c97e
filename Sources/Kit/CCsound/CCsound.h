// Csound's plugin and host interfaces as one Swift module, plus what Swift cannot import (variadic members) or cannot
// prove real-time safe (calls through function pointers). Code that differs between versions of Csound is in Csound6.h
// and Csound7.h, under the same names. Code that both versions share, but a future one may not, is here, in
// Generators.h and in OpcodeKit/CsoundInterface.swift.
#ifndef OPCODEKIT_CCSOUND_H
#define OPCODEKIT_CCSOUND_H

#ifndef USE_DOUBLE
#define USE_DOUBLE 1
#endif

// In these headers a number as wide as a pointer is a `ptrdiff_t`, Swift's Int, and never a `long`: a `long` has 32 bits
// on Windows, where Swift's Int has 64.

// Another system than Linux.
#if defined(_WIN32) || defined(OPCODEKIT_MACOS) || defined(__wasm__)
#define OPCODEKIT_FOREIGN 1
#endif

// Order matters: csdl.h first would hide the host interface.
#ifndef OPCODEKIT_FOREIGN
#include <malloc.h>
#endif
#include <csound/csound.h>
#include <csound/csdl.h>
#include <csound/pstream.h>

#ifndef OPCODEKIT_FOREIGN
#include <dlfcn.h>
#endif
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

_Static_assert(sizeof(MYFLT) == 8, "OpcodeKit needs the double-precision build of Csound");

// Before a function whose result stays the same throughout a pass: called in a loop over frames it is called once,
// before the loop. The compiler could not tell by the function's body, which reads Csound's memory.
// Without `nouwtable` one such function would give all functions of its module entries in the plugin's unwind table.
#define CCS_SAME __attribute__((const, noinline, nouwtable))
// Before a function that neither allocates nor locks, so that Swift's compiler need not prove it. A Swift function that
// calls it directly needs no such mark of its own.
#define CCS_PROVEN __attribute__((swift_attr("@_semantics(\"no_performance_analysis\")")))

#if CS_VERSION < 7
#include "Csound6.h"
#else
#include "Csound7.h"
#endif

#ifndef OPCODEKIT_FOREIGN

// Keeps the library that contains this code loaded until the process ends. Csound unloads plugins at every reset and
// loads them again, which does not work for a library that contains the Swift runtime.
//
// glibc declares dladdr only for C compiled with _GNU_SOURCE, and Swift's modules are not.

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

// Bytes in use on this process's heap.
static inline size_t ccs_heap_bytes(void) {
  struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

#endif

// ---- The processor that this code is compiled for

// Whether this processor has an x86-64 ABI level.
#ifndef OPCODEKIT_FOREIGN
#define CCS_HAS_LEVEL(level) (__builtin_cpu_init(), __builtin_cpu_supports(level))
#else
// What the builtin calls is libgcc's, which is not part of other systems: foreign.c has a function instead.
extern int opcodekit_has_level(const char *level);
#define CCS_HAS_LEVEL(level) opcodekit_has_level(level)
#endif

// NULL when this processor has the required instructions, otherwise the x86-64 ABI level that it lacks.
static inline const char *ccs_missing_processor_level(void) {
#if defined(__AVX512F__)
#define CCS_LEVEL "x86-64-v4"
#elif defined(__AVX2__)
#define CCS_LEVEL "x86-64-v3"
#elif defined(__SSE4_2__)
#define CCS_LEVEL "x86-64-v2"
#endif
#ifdef CCS_LEVEL
  if (!CCS_HAS_LEVEL(CCS_LEVEL)) return CCS_LEVEL;
#endif
  return NULL;
}

static inline void ccs_report_processor(CSOUND *csound) {
  const char *level = ccs_missing_processor_level();
  if (level != NULL)
    csound->ErrorMsg(csound,
                     "This plugin needs an %s processor, and this one is older; take the plugin built"
                     " for x86-64.\n",
                     level);
}

// ---- The code for a newer processor that a plugin also contains
//
// The same library compiled a second time, with these names for its entry points. NULL when there is none, or
// when this processor cannot run it.

#ifdef OPCODEKIT_HOLDS_NEWER
extern int64_t opcodekit_newer_opcode_init(CSOUND *, void *);
extern NGFENS *opcodekit_newer_fgen_init(CSOUND *);
#define CCS_IF_NEWER(function) \
  (CCS_HAS_LEVEL(OPCODEKIT_HOLDS_NEWER) ? function : NULL)
#else
#define CCS_IF_NEWER(function) NULL
#endif

static inline int64_t (*ccs_newer_opcode_init(void))(CSOUND *, void *) {
  return CCS_IF_NEWER(opcodekit_newer_opcode_init);
}

static inline NGFENS *(*ccs_newer_fgen_init(void))(CSOUND *) {
  return CCS_IF_NEWER(opcodekit_newer_fgen_init);
}

// ---- The description of an overload, for a host that replaces opcode code while it is playing

struct ccs_overload {
  const char *name, *outputs, *inputs;
  const char *layout;  // of the state; empty when it cannot be determined
  size_t head_bytes, block_bytes;
  SUBR initialize, perform;  // `perform` is NULL when there is no performance pass
};

// ---- Engine-wide values [any pass: no allocation, no locks]

CCS_SAME static inline double ccs_full_scale(CSOUND *csound) { return csound->Get0dBFS(csound); }
CCS_SAME static inline double ccs_a4_hz(CSOUND *csound) { return csound->GetA4(csound); }

// ---- Errors [init pass only: called from a performance pass, InitError would longjmp out of the caller]

static inline int ccs_opcode_name_length(const char *name) {
  int length = 0;
  while (name[length] != '\0' && name[length] != '.') length++;
  return length;
}

static inline int ccs_init_error(CSOUND *csound, void *block, const char *text) {
  const char *name = ccs_opcode_name(csound, block);
  return csound->InitError(csound, "%.*s: %s" CCS_ERROR_END, ccs_opcode_name_length(name), name, text);
}

static inline int ccs_init_error_argument(CSOUND *csound, void *block, const char *argument,
                                          double found, const char *allowed) {
  const char *name = ccs_opcode_name(csound, block);
  return csound->InitError(csound, "%.*s: '%s' is %.10g; it must be %s." CCS_ERROR_END,
                           ccs_opcode_name_length(name), name, argument, found, allowed);
}

// ---- Errors [performance pass only: ends the note]

static inline int ccs_perf_error(CSOUND *csound, void *block, const char *text) {
  const char *name = ccs_opcode_name(csound, block);
  return csound->PerfError(csound, (OPDS *)block, "%.*s: %s" CCS_ERROR_END, ccs_opcode_name_length(name), name,
                           text);
}

static inline int ccs_perf_error_argument(CSOUND *csound, void *block, const char *argument,
                                          double found, const char *allowed) {
  const char *name = ccs_opcode_name(csound, block);
  return csound->PerfError(csound, (OPDS *)block, "%.*s: '%s' is %.10g; it must be %s." CCS_ERROR_END,
                           ccs_opcode_name_length(name), name, argument, found, allowed);
}

// ---- Messages [init and deinit pass]

// A text with numbers in it: a format and its numbers, so that Csound does the formatting.
struct ccs_text {
  char format[256];
  int length, number_count;
  double numbers[8];
};

static inline void ccs_text_append(struct ccs_text *text, const char *bytes, ptrdiff_t count) {
  for (ptrdiff_t index = 0; index < count && text->length + 2 < (int)sizeof text->format; index++) {
    if (bytes[index] == '%') text->format[text->length++] = '%';
    text->format[text->length++] = bytes[index];
  }
}

static inline void ccs_text_append_number(struct ccs_text *text, double number, int is_whole) {
  const char *format = is_whole ? "%.0f" : "%.10g";
  size_t length = strlen(format);
  if (text->number_count == 8 || text->length + length >= sizeof text->format) return;
  memcpy(text->format + text->length, format, length);
  text->length += (int)length;
  text->numbers[text->number_count++] = number;
}

static inline void ccs_message(CSOUND *csound, void *block, const struct ccs_text *text, int is_warning) {
  const char *name = ccs_opcode_name(csound, block), *end = is_warning ? CCS_ERROR_END : "\n";
  char format[sizeof text->format + 8] = "%.*s: ";
  const double *n = text->numbers;
  memcpy(format + 6, text->format, (size_t)text->length);
  memcpy(format + 6 + text->length, end, strlen(end) + 1);
  void (*say)(CSOUND *, const char *, ...) = is_warning ? csound->Warning : csound->Message;
  // A format takes the numbers it names and no more.
  say(csound, format, ccs_opcode_name_length(name), name, n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7]);
}

// ---- Memory [init pass only]

// Memory of at least `bytes` bytes that lives as long as the instrument instance. With `keep`, the contents are kept if
// the size is the same; otherwise they are zeroed.
static inline void *ccs_buffer(CSOUND *csound, AUXCH *slot, size_t bytes, int keep) {
  if (slot->auxp == NULL || slot->size != bytes || !keep) csound->AuxAlloc(csound, bytes, slot);
  return slot->auxp;
}

// Memory shared under the name `prefix` + `suffix` by everything in one engine; zeroed when it is new. NULL when the
// name is longer than 255 bytes, or in use for memory of another size.
static inline void *ccs_shared(CSOUND *csound, const char *prefix, const char *suffix,
                               size_t bytes) {
  char name[256];
  int length = snprintf(name, sizeof name, "%s%s", prefix, suffix);
  size_t header = 16;
  size_t *memory;
  if (length < 0 || (size_t)length >= sizeof name) return NULL;
  memory = (size_t *)csound->QueryGlobalVariable(csound, name);
  if (memory == NULL) {
    if (csound->CreateGlobalVariable(csound, name, header + bytes) != 0) return NULL;
    memory = (size_t *)csound->QueryGlobalVariable(csound, name);
    if (memory == NULL) return NULL;
    *memory = bytes;
  }
  return *memory == bytes ? (char *)memory + header : NULL;
}

// Whether an argument of either rate is an audio signal. Called in each k-cycle, so Csound's GetTypeForArg is
// reimplemented inline here.
static inline int ccs_is_audio(const double *argument) {
  const CS_TYPE *type = *(const CS_TYPE *const *)((const char *)argument - CS_VAR_TYPE_OFFSET);
  return type->varTypeName[0] == 'a';
}
_Static_assert(CS_VAR_TYPE_OFFSET == 8, "AnyInput.letter reads the type 8 bytes before an argument");

static inline int64_t ccs_atomic_add(int64_t *value, int64_t amount) {
  return __atomic_add_fetch(value, amount, __ATOMIC_RELAXED);
}
static inline int64_t ccs_atomic_load(const int64_t *value) {
  return __atomic_load_n(value, __ATOMIC_RELAXED);
}

// ---- Arrays [any pass: no allocation, no locks]

// The number of elements where there are several dimensions, or none. A separate function that saves all registers it
// uses (preserve_all), because it is rarely called and its callers then need not save any.
static __attribute__((noinline, unused, preserve_all)) ptrdiff_t
ccs_array_product(int dimensions, const int32_t *sizes, const void *data) {
  ptrdiff_t count = sizes != NULL && data != NULL && dimensions > 0;
  for (int dimension = 0; count > 0 && dimension < dimensions; dimension++) count *= sizes[dimension];
  return count;
}

static inline CCS_PROVEN ptrdiff_t ccs_array_count(int dimensions, const int32_t *sizes, const void *data) {
  if (__builtin_expect(dimensions == 1 && data != NULL, 1)) return sizes[0];
  return ccs_array_product(dimensions, sizes, data);
}

#include "Tables.h"

// ---- Strings [init pass only]

// A separate function that saves all registers it uses (preserve_most), because it is rarely called.
static __attribute__((noinline, unused, preserve_most)) void
ccs_enlarge_string(CSOUND *csound, STRINGDAT *string, int capacity) {
  char *room = (char *)csound->Calloc(csound, (size_t)capacity);
  if (string->data != NULL) {
    memcpy(room, string->data, strnlen(string->data, (size_t)string->size));
    ccs_release_text(csound, string);
  }
  string->data = room;
  string->size = capacity;
}

// Gives a string a capacity of at least `capacity` bytes, including the final zero; keeps its text.
static inline void ccs_reserve_string(CSOUND *csound, STRINGDAT *string, int capacity) {
  if (__builtin_expect(string->data == NULL || (ptrdiff_t)string->size < capacity, 0))
    ccs_enlarge_string(csound, string, capacity);
}

// ---- f-signals [init pass only]

// Gives `output` the same format and sizes as `input`, with one frame of zeros.
static inline void ccs_prepare_spectrum(CSOUND *csound, PVSDAT *output, const PVSDAT *input,
                                        int ksmps) {
  size_t values = (size_t)input->N + 2;
  size_t bytes = input->sliding ? values * sizeof(MYFLT) * (size_t)ksmps : values * sizeof(float);
  output->N = input->N;
  output->sliding = input->sliding;
  output->NB = input->NB;
  output->overlap = input->overlap;
  output->winsize = input->winsize;
  output->wintype = input->wintype;
  output->format = input->format;
  output->framecount = 1;
  csound->AuxAlloc(csound, bytes, &output->frame);
}

// ---- Notes [any pass: no allocation, no locks]

static inline int ccs_p_field_count(const INSDS *instrument) {
  return instrument->instr->pmax > 3 ? (int)instrument->instr->pmax : 3;
}
static inline double ccs_p_field(const INSDS *instrument, int number) {
  return (&instrument->p0)[number].value;
}

// ---- Text for registration problems. `format` takes the overload's name, then either two numbers as %ld, or
//      one number and one type letter as %c.

static inline void ccs_format_problem(char *text, size_t capacity, const char *format,
                                      const char *name, ptrdiff_t first, ptrdiff_t second) {
  snprintf(text, capacity, format, name, (long)first, (long)second);
}

static inline void ccs_format_letter_problem(char *text, size_t capacity, const char *format,
                                             const char *name, ptrdiff_t position, int letter) {
  snprintf(text, capacity, format, name, (long)position, letter);
}

static inline void ccs_warn(CSOUND *csound, const char *text) {
  csound->ErrorMsg(csound, "OpcodeKit refuses %s\n", text);
}
static inline void ccs_warn_struct(CSOUND *csound, const char *declaration) {
  csound->ErrorMsg(csound, "OpcodeKit cannot register the struct '%s': its name is in use, or a struct that is a"
                   " member is not registered before it.\n", declaration);
}

#endif
