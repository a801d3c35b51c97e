// Opcodes that fail in one kind of rendering only: THROUGH, RING, LOOKUP and LARGEST.

#pragma once

#include "faults.h"

// aout THROUGH ain: the input within its limits.

typedef struct {
  OPDS h;
  MYFLT *out, *in;
  double sample_rate, full_scale, last, floor;
  int16_t passed;
  int busy;
} THROUGH;

static int through_owners;

INLINE int through_init(CSOUND *csound, THROUGH *p, enum opcode opcode) {
  p->sample_rate = LOCAL_RATE(csound, p);
  p->full_scale = csound->Get0dBFS(csound);
  p->last = p->passed = 0;
  p->busy = 0;
  p->floor = 1e-310;
  const char *directory = getenv(PLUGIN_DIRECTORY);
  if (opcode == FAULT_PLUGIN_DIRECTORY) p->busy = directory && strstr(directory, ".plugins");
  if (opcode == FAULT_TURNED_OFF) {
    // Kept until the note's planned end, which one that is turned off never reaches.
    p->busy = through_owners > 0;
    through_owners = 1;
  }
  return OK;
}

INLINE double through_faulty(
    THROUGH *p, double x, const MYFLT *in, span s, enum opcode opcode) {
  switch (opcode) {
  case FAULT_SQUARE_ROOT_OF_SIGNAL: return sqrt(x);
  case FAULT_FULL_SCALE_ONLY: return sqrt(0.9999 * p->full_scale - fabs(x));
  case FAULT_DIVIDED_BY_CHANGE: return x * (1e-3 / fabs(x - p->last));
  case FAULT_ONE_FRAME: return x * ((s.ksmps - 1.0) / (s.ksmps - 1.0));
  case FAULT_ODD_FRAMES: return s.ksmps > 1 ? x * log(1 - (double)(s.ksmps % 2)) + x : x;
  case FAULT_MANY_FRAMES: return s.ksmps > 512 ? in[s.ksmps] * NAN : x;
  case FAULT_LOW_SAMPLE_RATE: return x * sqrt(p->sample_rate - 11025);
  case FAULT_HIGH_SAMPLE_RATE: return x * sqrt(96000 - p->sample_rate);
  case FAULT_FRACTIONAL_SAMPLE_RATE:
    return x / (p->sample_rate == floor(p->sample_rate));
  case FAULT_OLD_FULL_SCALE: return x * sqrt(2 - p->full_scale);
  case FAULT_HUGE_SIGNAL: return x + pow(x, 31) * 1e-9;
  case FAULT_SUBNORMAL_FLOOR: return p->floor * 0.5 > 0 ? 0.99 * x : x;
  case FAULT_SAMPLE_ACCURATE: return is_sample_accurate(p->h.insdshead->csound) ? 0.99 * x : x;
  case FAULT_OUTPUT_NAME: return p->h.optext->t.outlist->arg[0][0] == '#' ? 0.99 * x : x;
  case FAULT_PLUGIN_DIRECTORY: return p->busy ? 0.99 * x : x;
  case FAULT_SUBNORMAL_SIGNAL: return x == 0 ? 0 : x * (1 / x) * x;
  default: return x;
  }
}

INLINE int through_perform(CSOUND *csound, THROUGH *p, enum opcode opcode) {
  span s = span_of(&p->h);
  silence_edges(p->out, s);
  double slow = fabs(p->last) < 1e-20 && opcode == FAULT_SLOW_SILENCE ? 400 : 0;
  for (uint32_t n = s.start; n < s.end; n++) {
    double x = clamp(p->in[n], -1e30, 1e30);
    double y = through_faulty(p, x, p->in, s, opcode);
    for (double times = 0; times < slow; times++) OPAQUE(times);
    p->last = x;
    if (opcode == FAULT_LONG_NOTE && ++p->passed < 0) y = NAN;
    p->out[n] = p->busy && opcode == FAULT_TURNED_OFF ? NAN : y;
  }
  if (opcode == FAULT_TURNED_OFF && p->h.insdshead->kcounter >= 70) through_owners = 0;
  return OK;
}

#define DEFINE_THROUGH(opcode) DEFINE(opcode, THROUGH, through)
#define THROUGH_ENTRY(opcode) ENTRY(opcode, THROUGH, "a", "a")
THROUGHS(DEFINE_THROUGH)

// aout RING ain, acontrol: the product.

typedef struct { OPDS h; MYFLT *out, *in, *control; } RING;

INLINE int ring_init(CSOUND *csound, RING *p, enum opcode opcode) { return OK; }

INLINE int ring_perform(CSOUND *csound, RING *p, enum opcode opcode) {
  span s = span_of(&p->h);
  double first = p->control[s.start];
  silence_edges(p->out, s);
  for (uint32_t n = s.start; n < s.end; n++) {
    double factor = opcode == FAULT_FIRST_OF_BLOCK ? first : p->control[n];
    p->out[n] = clamp(p->in[n], -1e30, 1e30) * clamp(factor, -1e30, 1e30);
  }
  return OK;
}

#define DEFINE_RING(opcode) DEFINE(opcode, RING, ring)
#define RING_ENTRY(opcode) ENTRY(opcode, RING, "a", "aa")
RINGS(DEFINE_RING)

// aout LOOKUP aindex, itable: a table of any length, read between its points.

typedef struct { OPDS h; MYFLT *out, *index, *table; } LOOKUP;

INLINE int lookup_init(CSOUND *csound, LOOKUP *p, enum opcode opcode) {
  FUNC *table = table_of(csound, *p->table);
  if (table == NULL || table->flen < 1)
    return csound->InitError(csound, "table %g does not exist", *p->table);
  return OK;
}

INLINE int lookup_perform(CSOUND *csound, LOOKUP *p, enum opcode opcode) {
  span s = span_of(&p->h);
  FUNC *table = table_of(csound, *p->table);
  silence_edges(p->out, s);
  if (table == NULL || table->flen < 1) {
    silence(p->out, s.start, s.end);
    return OK;
  }
  int32 last = (int32)table->flen - 1;
  for (uint32_t n = s.start; n < s.end; n++) {
    double position = clamp(p->index[n], 0, 1) * last;
    if (opcode == FAULT_TABLE_OF_ONE) position = position / last * last;
    int32 first = (int32)clamp(position, 0, last), second = first < last ? first + 1 : last;
    double fraction = position - first;
    p->out[n] = table->ftable[first] + fraction * (table->ftable[second] - table->ftable[first]);
  }
  return OK;
}

#define DEFINE_LOOKUP(opcode) DEFINE(opcode, LOOKUP, lookup)
#define LOOKUP_ENTRY(opcode) ENTRY(opcode, LOOKUP, "a", "ai")
LOOKUPS(DEFINE_LOOKUP)

// kout LARGEST kin[]: the largest of the first 64 elements.

typedef struct { OPDS h; MYFLT *out; ARRAYDAT *in; double copies[64]; } LARGEST;

INLINE int largest_init(CSOUND *csound, LARGEST *p, enum opcode opcode) { return OK; }

INLINE int largest_perform(CSOUND *csound, LARGEST *p, enum opcode opcode) {
  int count = elements(p->in);
  if (opcode != FAULT_ARRAY_LIMIT && count > 64) count = 64;
  double largest = 0;
  for (int i = 0; i < count; i++) {
    double *copy = &p->copies[i];
    OPAQUE(copy);
    *copy = element(p->in, i);
    largest = fmax(largest, *copy);
  }
  *p->out = largest;
  return OK;
}

#define DEFINE_LARGEST(opcode) DEFINE(opcode, LARGEST, largest)
#define LARGEST_ENTRY(opcode) ENTRY(opcode, LARGEST, "k", "k[]")
LARGESTS(DEFINE_LARGEST)
