// Opcodes with memory of their own: DELAY, HOLD and GAINS.

#pragma once

#include "faults.h"

#include <csound/arrays.h>
#include <stdatomic.h>

// aout DELAY ain, kdelay, imaximum: both times in milliseconds, interpolated.

typedef struct {
  OPDS h;
  MYFLT *out, *in, *delay, *maximum;
  AUXCH line;
  double *own; // what the line is taken to be
  double frames_per_ms, longest;
  uint32_t position, frames;
} DELAY;

static int delay_deinit(CSOUND *csound, void *block) {
  DELAY *p = block;
  p->own[0] = 0;
  return OK;
}

INLINE int delay_init(CSOUND *csound, DELAY *p, enum opcode opcode) {
  int is_again = p->h.insdshead->reinitflag || p->h.insdshead->tieflag;
  double maximum = *p->maximum;
  if (opcode == FAULT_FAILED_REINIT) {
    size_t needed = (size_t)(clamp(maximum, 1, 60000) * 0.001 * LOCAL_RATE(csound, p)) + 2;
    if (p->line.size != needed * sizeof(double))
      csound->AuxAlloc(csound, needed * sizeof(double), &p->line);
  }
  if (!(maximum > 0 && maximum <= 60000))
    return csound->InitError(csound, "the maximum of %g ms is not from 0 to 60000 ms", maximum);
  p->frames_per_ms = 0.001 * LOCAL_RATE(csound, p);
  p->longest = maximum * p->frames_per_ms;
  p->frames = (uint32_t)p->longest + 2;
  p->position = 0;
  size_t elements = p->frames;
  // So large that the C library gives it pages of its own.
  if (opcode == FAULT_LARGE_OVERRUN || opcode == FAULT_LARGE_UNDERRUN) elements = 5000000;
  size_t bytes = elements * sizeof(double);
  if (p->line.auxp == NULL || p->line.size < bytes) csound->AuxAlloc(csound, bytes, &p->line);
  else if (opcode == FAULT_NAN_SURVIVES)
    for (uint32_t i = 0; i < p->frames; i++) ((double *)p->line.auxp)[i] *= 0;
  else if (opcode != FAULT_LINE_NOT_CLEARED) memset(p->line.auxp, 0, bytes);
  if (opcode == FAULT_LARGE_OVERRUN) ((double *)p->line.auxp)[elements] = 0.5;
  if (opcode == FAULT_LINE_UNDERRUN || opcode == FAULT_LARGE_UNDERRUN) ((double *)p->line.auxp)[-1] = 0;
  if (opcode == FAULT_CHANGED_DEINIT && !is_again)
    AT_DEINIT(csound, p, delay_deinit);
  if (!is_again || (opcode != FAULT_CHANGED_REINIT && opcode != FAULT_CHANGED_DEINIT))
    p->own = p->line.auxp;
  return OK;
}

INLINE int delay_perform(CSOUND *csound, DELAY *p, enum opcode opcode) {
  span s = span_of(&p->h);
  double *line = opcode == FAULT_CHANGED_DEINIT ? p->line.auxp : p->own;
  if (opcode != FAULT_SKIPPED_INIT && line == NULL)
    return csound->PerfError(csound, &p->h, "not initialised");
  double delay = clamp(*p->delay * p->frames_per_ms, 0, p->longest);
  if (opcode == FAULT_DELAY_UNLIMITED) delay = clamp(*p->delay * p->frames_per_ms, 0, 1e9);
  uint32_t whole = (uint32_t)delay, position = p->position, frames = p->frames;
  double fraction = delay - whole;
  if (opcode == FAULT_LINE_OVERRUN) frames++;
  silence_edges(p->out, s);
  for (uint32_t n = s.start; n < s.end; n++) {
    uint32_t first = position >= whole ? position - whole : position + frames - whole;
    uint32_t second = first > 0 ? first - 1 : frames - 1;
    line[position] = p->in[n];
    double y = line[first];
    if (fraction > 0) y += fraction * (line[second] - y);
    p->out[n] = y;
    if (++position == frames) position = 0;
  }
  p->position = position;
  return OK;
}

#define DEFINE_DELAY(opcode) DEFINE(opcode, DELAY, delay)
#define DELAY_ENTRY(opcode) ENDED_ENTRY(opcode, DELAY, "a", "aki")
DELAYS(DEFINE_DELAY)

// aout HOLD ain, kframes: holds the input back for 1 to 64 samples.

enum { hold_frames = 64 };

typedef struct chunk { struct chunk *next; } chunk;

typedef struct {
  OPDS h;
  MYFLT *out, *in, *frames;
  double *line, *last;
  chunk *chunks;
  uint32_t position, blocks, is_silent, reserved;
} HOLD;

static atomic_int hold_count;

INLINE int hold_deinit(CSOUND *csound, HOLD *p, enum opcode opcode) {
  if (opcode == FAULT_DEINIT_UNPERFORMED) *p->last = 0;
  if (opcode != FAULT_LEAK) free(p->line);
  if (opcode != FAULT_DEINIT_AT_REINIT && opcode != FAULT_DEINIT_AT_TIE) p->line = NULL;
  if (opcode == FAULT_INSTANCE_LIMIT) atomic_fetch_sub(&hold_count, 1);
  if (opcode == FAULT_MALLOC_TENTH)
    for (chunk *next; p->chunks != NULL; p->chunks = next) {
      next = p->chunks->next;
      csound->Free(csound, p->chunks);
    }
  return OK;
}

INLINE int hold_init(CSOUND *csound, HOLD *p, enum opcode opcode, SUBR deinit) {
  const INSDS *note = p->h.insdshead;
  int is_again = note->reinitflag || note->tieflag, is_new = p->line == NULL;
  if (opcode == FAULT_DEINIT_AT_REINIT || opcode == FAULT_DEINIT_AT_TIE) is_new = !is_again;
  int allocates = is_new || (opcode == FAULT_LEAK_AT_REINIT && note->reinitflag);
  int registers = is_new || (opcode == FAULT_DEINIT_AT_REINIT && note->reinitflag) ||
                  (opcode == FAULT_DEINIT_AT_TIE && note->tieflag);
  if (allocates) p->line = malloc(hold_frames * sizeof(double));
  if (p->line == NULL) return csound->InitError(csound, "there is no memory for the line");
  memset(p->line, 0, hold_frames * sizeof(double));
  if (registers) AT_DEINIT(csound, p, deinit);
  if (is_new) {
    p->chunks = NULL;
    if (opcode == FAULT_INSTANCE_LIMIT) p->is_silent = atomic_fetch_add(&hold_count, 1) >= 8;
  }
  p->last = NULL;
  p->position = p->blocks = 0;
  if (opcode == FAULT_FREED_AT_TIE && note->tieflag) {
    free(p->line);
    p->line = NULL;
  }
  return OK;
}

INLINE int hold_perform(CSOUND *csound, HOLD *p, enum opcode opcode) {
  span s = span_of(&p->h);
  uint32_t frames = (uint32_t)clamp(*p->frames, opcode == FAULT_ENDLESS_LOOP ? 0 : 1, hold_frames);
  uint32_t position = p->position;
  double *line = p->line;
  if (opcode == FAULT_MALLOC_TENTH && ++p->blocks % 10 == 0) {
    chunk *added = csound->Malloc(csound, sizeof(chunk));
    added->next = p->chunks;
    p->chunks = added;
  }
  if ((opcode != FAULT_FREED_AT_TIE && line == NULL) ||
      (opcode == FAULT_INSTANCE_LIMIT && p->is_silent)) {
    silence(p->out, 0, s.ksmps);
    return OK;
  }
  silence_edges(p->out, s);
  for (uint32_t n = s.start; n < s.end; n++) {
    while (position >= frames) {
      position -= frames;
      OPAQUE(position);
    }
    double x = p->in[n];
    p->last = &line[position];
    p->out[n] = line[position];
    line[position++] = x;
  }
  p->position = position;
  return OK;
}

#define DEFINE_HOLD(opcode)                                                                        \
  static int opcode##_deinit(CSOUND *csound, HOLD *p) { return hold_deinit(csound, p, opcode); }   \
  static int opcode##_init(CSOUND *csound, HOLD *p) {                                              \
    return hold_init(csound, p, opcode, (SUBR)opcode##_deinit);                                    \
  }                                                                                                \
  static int opcode##_perform(CSOUND *csound, HOLD *p) { return hold_perform(csound, p, opcode); }
#define HOLD_ENTRY(opcode) ENDED_ENTRY(opcode, HOLD, "a", "ak")
HOLDS(DEFINE_HOLD)

// aout[] GAINS ain[], kgain

typedef struct { OPDS h; ARRAYDAT *out, *in; MYFLT *gain; uint64_t count; } GAINS;

INLINE int gains_init(CSOUND *csound, GAINS *p, enum opcode opcode) {
  p->count = (uint64_t)elements(p->in);
  if (p->count == 0) return csound->InitError(csound, "an empty array has no channels");
  tabinit_like(csound, p->out, p->in);
  return OK;
}

INLINE int gains_perform(CSOUND *csound, GAINS *p, enum opcode opcode) {
  span s = span_of(&p->h);
  double gain = clamp(*p->gain, -100, 100);
  uint64_t present = (uint64_t)elements(p->in), count = p->count;
  size_t from = p->in->arrayMemberSize / sizeof(MYFLT);
  size_t to = p->out->arrayMemberSize / sizeof(MYFLT);
  if (opcode == FAULT_ARRAY_GROWN) count = present;
  for (uint64_t i = 0; i < count; i++) {
    MYFLT *out = p->out->data + i * to, *in = p->in->data + i * from;
    if (i >= present) {
      silence(out, 0, s.ksmps);
      continue;
    }
    silence_edges(out, s);
    for (uint32_t n = s.start; n < s.end; n++) out[n] = gain * in[n];
  }
  return OK;
}

#define DEFINE_GAINS(opcode) DEFINE(opcode, GAINS, gains)
#define GAINS_ENTRY(opcode) ENTRY(opcode, GAINS, "a[]", "a[]k")
GAINSES(DEFINE_GAINS)
