// What all opcodes of faults.c share. Each opcode is a template that is told which one it shall be.

#pragma once

#include "csounds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "faults_list.h"

/// Makes the compiler believe that the value is read and changed.
#define OPAQUE(value) __asm__ volatile("" : "+r"(value) : : "memory")

/// The constraint of a register with a number in it.
#if defined(__aarch64__)
#define FLOAT_REGISTER "w"
#else
#define FLOAT_REGISTER "x"
#endif

#define OPCODE_NAME(opcode) opcode,
enum opcode { ALL_OPCODES(OPCODE_NAME) };

/// The frames of a block that belong to the note.
typedef struct { uint32_t start, end, ksmps; } span;

INLINE span span_of(const OPDS *h) {
  const INSDS *note = h->insdshead;
  span s = {note->ksmps_offset, note->ksmps - note->ksmps_no_end, note->ksmps};
  if (s.end > s.ksmps || s.end < s.start) s.end = s.start;
  return s;
}

INLINE void silence(MYFLT *out, uint32_t start, uint32_t end) {
  for (uint32_t n = start; n < end; n++) out[n] = 0;
}

INLINE void silence_edges(MYFLT *out, span s) {
  silence(out, 0, s.start);
  silence(out, s.end, s.ksmps);
}

/// Whether an argument of either rate is an audio signal: Csound keeps its type before its value.
INLINE int is_audio(const MYFLT *argument) {
  return (*(CS_TYPE *const *)((const char *)argument - 8))->varTypeName[0] == 'a';
}

/// The value within its range; what is not a number becomes 0 or the lowest.
INLINE double clamp(double x, double low, double high) {
  if (!(x == x)) return low > 0 ? low : 0;
  return x < low ? low : x > high ? high : x;
}

/// The state without what is tiny, huge or no number.
INLINE double settled(double x) { return fabs(x) >= 1e-30 && fabs(x) <= 1e30 ? x : 0; }

/// The table of a number, in any pass: FTnp2Find alone jumps out of a performance pass for a number
/// without a table.
INLINE FUNC *table_of(CSOUND *csound, MYFLT number) {
  MYFLT *samples;
  int is_there = number >= 1 && number < 1e9 &&
                 TABLE_LENGTH(csound, &samples, (int)(number + 0.5)) > 0;
  return is_there || number == -1 ? TABLE(csound, &number) : NULL;
}
