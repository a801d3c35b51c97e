// Opcodes that can be called in several forms: THIRD, PLAYER, RATES and COUNTED.

#pragma once

#include "faults.h"

// kout THIRD kin, k1, k2, k3 [, …]: the sum of the first value and the third of the others.

typedef struct { OPDS h; MYFLT *out, *in, *values[1998]; uint64_t count; } THIRD;

INLINE int third_init(CSOUND *csound, THIRD *p, enum opcode opcode) {
  p->count = INPUT_COUNT(csound, p);
  if (opcode == FAULT_THIRD_MISSING || p->count > 3) return OK;
  return csound->InitError(csound, "it takes four values or more");
}

INLINE int third_perform(CSOUND *csound, THIRD *p, enum opcode opcode) {
  if (p->count == 0) return csound->PerfError(csound, &p->h, "not initialised");
  *p->out = *p->in + *p->values[2];
  return OK;
}

#define DEFINE_THIRD(opcode) DEFINE(opcode, THIRD, third)
#define THIRD_ENTRY(opcode) ENTRY(opcode, THIRD, "k", "kz")
THIRDS(DEFINE_THIRD)

// aout1 [, aout2] PLAYER kamplitude, itable: the points of a table, one a frame, until it ends.

typedef struct {
  OPDS h;
  MYFLT *out[2], *amplitude, *table;
  uint64_t outputs, frame;
} PLAYER;

INLINE int player_init(CSOUND *csound, PLAYER *p, enum opcode opcode) {
  FUNC *table = table_of(csound, *p->table);
  p->outputs = OUTPUT_COUNT(csound, p);
  p->frame = 0;
  if (table == NULL || table->flen < 1)
    return csound->InitError(csound, "table %g does not exist", *p->table);
  return OK;
}

INLINE int player_perform(CSOUND *csound, PLAYER *p, enum opcode opcode) {
  if (p->outputs == 0) return csound->PerfError(csound, &p->h, "not initialised");
  span s = span_of(&p->h);
  FUNC *table = table_of(csound, *p->table);
  double amplitude = clamp(*p->amplitude, -1e9, 1e9);
  uint64_t channels = table != NULL && table->nchanls == 2 ? 2 : 1;
  uint64_t frames = table == NULL || table->flen < 1 ? 0 : table->flen / channels;
  for (uint64_t i = 0; i < p->outputs; i++) {
    span own = s;
    if (opcode == FAULT_SECOND_NOT_CLEARED && channels == 2 && i == 1) own.start = 0;
    silence_edges(p->out[i], own);
    for (uint32_t n = s.start; n < s.end; n++) {
      uint64_t frame = p->frame + n - s.start;
      p->out[i][n] = frame < frames ? amplitude * table->ftable[frame * channels + i % channels] : 0;
    }
  }
  p->frame += s.end - s.start;
  return OK;
}

#define DEFINE_PLAYER(opcode) DEFINE(opcode, PLAYER, player)
#define PLAYER_ENTRY(opcode) ENTRY(opcode, PLAYER, "mm", "ki")
PLAYERS(DEFINE_PLAYER)

// aout RATES ain, kgain and aout RATES ain, again: two entries of one name, without suffixes.

typedef struct { OPDS h; MYFLT *out, *in, *gain; } RATES;

INLINE int rates_init(CSOUND *csound, RATES *p, enum opcode opcode) { return OK; }

INLINE int rates_perform(CSOUND *csound, RATES *p, enum opcode opcode, int is_audio_rate) {
  span s = span_of(&p->h);
  double level = opcode == FAULT_RATES_GAIN && is_audio_rate ? 2 : 1;
  silence_edges(p->out, s);
  for (uint32_t n = s.start; n < s.end; n++)
    p->out[n] = level * clamp(p->gain[is_audio_rate ? n : 0], -1e9, 1e9) * clamp(p->in[n], -1e30, 1e30);
  return OK;
}

#define DEFINE_RATES(opcode)                                                                       \
  static int opcode##_init(CSOUND *csound, RATES *p) { return rates_init(csound, p, opcode); }     \
  static int opcode##_k(CSOUND *csound, RATES *p) { return rates_perform(csound, p, opcode, 0); }  \
  static int opcode##_a(CSOUND *csound, RATES *p) { return rates_perform(csound, p, opcode, 1); }
#define RATES_ENTRY(opcode)                                                                        \
  {#opcode, sizeof(RATES), 0, THREADS(3) "a", "ak", (SUBR)opcode##_init, (SUBR)opcode##_k},        \
  {#opcode, sizeof(RATES), 0, THREADS(3) "a", "aa", (SUBR)opcode##_init, (SUBR)opcode##_a},
RATESES(DEFINE_RATES)

// kout COUNTED kin: with thread 2, so that Csound 6 never calls the init function that it has. The one with the fault has
// thread 1.

typedef struct { OPDS h; MYFLT *out, *in; double count; } COUNTED;

INLINE int counted_init(CSOUND *csound, COUNTED *p, enum opcode opcode) { return OK; }

INLINE int counted_perform(CSOUND *csound, COUNTED *p, enum opcode opcode) {
  *p->out = *p->in + p->count;
  if (opcode == FAULT_NEVER_INITIALISED && p->count < 3) p->count++;
  return OK;
}

#define DEFINE_COUNTED(opcode) DEFINE(opcode, COUNTED, counted)
#define COUNTED_ENTRY(opcode)                                                                      \
  {#opcode, sizeof(COUNTED), 0, THREADS(opcode == FAULT_NEVER_PERFORMED ? 1 : 2) "k", "k",          \
   (SUBR)opcode##_init, (SUBR)opcode##_perform},
COUNTEDS(DEFINE_COUNTED)
