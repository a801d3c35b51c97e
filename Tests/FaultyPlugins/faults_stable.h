// Opcodes in which sound goes round and round: LOOP, TUNED, STAGES and CROSS.

#pragma once

#include "faults.h"

// aout LOOP ain, kdecay, idelay: an echo every idelay seconds, up to 512 samples, without what is below
// 40 Hz, 60 dB softer after kdecay seconds.

enum { loop_frames = 512 };

typedef struct {
  OPDS h;
  MYFLT *out, *in, *decay, *delay;
  double line[loop_frames], last, passed, pole, round;
  uint32_t place, frames;
} LOOP;

INLINE int loop_init(CSOUND *csound, LOOP *p, enum opcode opcode) {
  double sample_rate = LOCAL_RATE(csound, p);
  p->frames = (uint32_t)clamp(*p->delay * sample_rate, 1, loop_frames);
  p->round = p->frames / sample_rate;
  p->pole = exp(-2 * 3.141592653589793 * 40 / sample_rate);
  p->place = 0;
  p->last = p->passed = 0;
  memset(p->line, 0, sizeof(p->line));
  return OK;
}

INLINE int loop_perform(CSOUND *csound, LOOP *p, enum opcode opcode) {
  if (p->frames == 0) return csound->PerfError(csound, &p->h, "not initialised");
  span s = span_of(&p->h);
  double decay = clamp(*p->decay, 0.01, 10), gain = pow(10, -3 * p->round / decay);
  // Without it the highpass gains a little at high frequencies, in each round.
  double level = opcode == FAULT_LOOP_GAIN ? 1 : (1 + p->pole) / 2;
  silence_edges(p->out, s);
  for (uint32_t n = s.start; n < s.end; n++) {
    double y = p->line[p->place];
    double x = clamp(p->in[n], -1e30, 1e30) + gain * y;
    p->passed = settled(level * (x - p->last) + p->pole * p->passed);
    p->last = settled(x);
    p->line[p->place] = p->passed;
    if (++p->place == p->frames) p->place = 0;
    p->out[n] = y;
  }
  return OK;
}

#define DEFINE_LOOP(opcode) DEFINE(opcode, LOOP, loop)
#define LOOP_ENTRY(opcode) ENTRY(opcode, LOOP, "a", "aki")
LOOPS(DEFINE_LOOP)

// aout TUNED ain, acentre: a resonance of 20 Hz.

typedef struct { OPDS h; MYFLT *out, *in, *centre; double a, b, stay, turn; } TUNED;

INLINE int tuned_init(CSOUND *csound, TUNED *p, enum opcode opcode) {
  p->turn = 2 * 3.141592653589793 / LOCAL_RATE(csound, p);
  p->stay = exp(-10 * p->turn);
  p->a = p->b = 0;
  return OK;
}

INLINE int tuned_perform(CSOUND *csound, TUNED *p, enum opcode opcode) {
  span s = span_of(&p->h);
  silence_edges(p->out, s);
  for (uint32_t n = s.start; n < s.end; n++) {
    double angle = clamp(p->centre[n], 0, 1e6) * p->turn, x = clamp(p->in[n], -1e30, 1e30);
    double c = p->stay * cos(angle), d = p->stay * sin(angle), a = p->a, b = p->b;
    if (opcode == FAULT_TUNED_STATE) {
      // The two samples before mean another energy with each centre.
      p->a = settled(0.001 * x + 2 * c * a - p->stay * p->stay * b);
      p->b = settled(a);
    } else {
      // A turn, which leaves the energy as it is.
      p->a = settled(0.001 * x + c * a - d * b);
      p->b = settled(d * a + c * b);
    }
    p->out[n] = p->a;
  }
  return OK;
}

#define DEFINE_TUNED(opcode) DEFINE(opcode, TUNED, tuned)
#define TUNED_ENTRY(opcode) ENTRY(opcode, TUNED, "a", "aa")
TUNEDS(DEFINE_TUNED)

// aout STAGES ain, kcutoff [, imode, iskip]: a one-pole lowpass; where imode is not 0, what a lowpass at half
// the cutoff takes away.

typedef struct {
  OPDS h;
  MYFLT *out, *in, *cutoff, *mode, *skip;
  double known, pole, scale, state;
} STAGES;

INLINE int stages_init(CSOUND *csound, STAGES *p, enum opcode opcode) {
  p->scale = 2 * 3.141592653589793 / LOCAL_RATE(csound, p) / (*p->mode != 0 ? 2 : 1);
  if (*p->skip == 0 || opcode != FAULT_CACHE_KEPT) p->known = NAN;
  if (*p->skip == 0) p->state = 0;
  return OK;
}

INLINE int stages_perform(CSOUND *csound, STAGES *p, enum opcode opcode) {
  span s = span_of(&p->h);
  double cutoff = clamp(*p->cutoff, 0, 1e6);
  if (cutoff != p->known) p->known = cutoff, p->pole = exp(-cutoff * p->scale);
  silence_edges(p->out, s);
  for (uint32_t n = s.start; n < s.end; n++) {
    double x = clamp(p->in[n], -1e30, 1e30);
    p->state = settled((1 - p->pole) * x + p->pole * p->state);
    p->out[n] = *p->mode != 0 ? x - p->state : p->state;
  }
  return OK;
}

#define DEFINE_STAGES(opcode) DEFINE(opcode, STAGES, stages)
#define STAGES_ENTRY(opcode) ENTRY(opcode, STAGES, "a", "akoo")
STAGESES(DEFINE_STAGES)

// aout CROSS ain, kstraight, kcross, kdamp1, kdamp2, kdamp3, kdamp4: two delay lines, each fed with
// itself and the other one.

enum { cross_frames = 100 };

typedef struct {
  OPDS h;
  MYFLT *out, *in, *straight, *cross, *damp[4];
  double lines[2][cross_frames];
  uint32_t place;
} CROSS;

INLINE int cross_init(CSOUND *csound, CROSS *p, enum opcode opcode) {
  memset(p->lines, 0, sizeof(p->lines));
  p->place = 0;
  return OK;
}

INLINE int cross_perform(CSOUND *csound, CROSS *p, enum opcode opcode) {
  span s = span_of(&p->h);
  double straight = clamp(*p->straight, 0, 0.505), cross = clamp(*p->cross, 0, 0.505);
  // Both together must stay below 1.
  if (opcode == CLEAN_CROSS) cross = fmin(cross, 0.99 - straight);
  for (int i = 0; i < 4; i++) straight *= 1 - clamp(*p->damp[i], 0, 1);
  silence_edges(p->out, s);
  for (uint32_t n = s.start; n < s.end; n++) {
    double a = p->lines[0][p->place], b = p->lines[1][p->place];
    double x = clamp(p->in[n], -1e30, 1e30);
    p->lines[0][p->place] = settled(x + straight * a + cross * b);
    p->lines[1][p->place] = settled(x + straight * b + cross * a);
    if (++p->place == cross_frames) p->place = 0;
    p->out[n] = a;
  }
  return OK;
}

#define DEFINE_CROSS(opcode) DEFINE(opcode, CROSS, cross)
#define CROSS_ENTRY(opcode) ENTRY(opcode, CROSS, "a", "akkkkkk")
CROSSES(DEFINE_CROSS)
