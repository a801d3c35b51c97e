// Opcodes with audio that hold no memory of their own: OSC, PAN, SUM, GLIDE, FADE, NOISE,
// AVERAGE, SHAPE, SCALE and CLIP.

#pragma once

#include "faults.h"

#include <fenv.h>
#include <time.h>

#include "faults_filter.h"

/// The functions and the entry of an opcode with one overload.
#define DEFINE(opcode, type, base)                                                                 \
  static int opcode##_init(CSOUND *csound, type *p) { return base##_init(csound, p, opcode); }     \
  static int opcode##_perform(CSOUND *csound, type *p) { return base##_perform(csound, p, opcode); }
#define ENTRY(opcode, type, out, in)                                                               \
  {#opcode, sizeof(type), 0, THREADS(3) out, in, (SUBR)opcode##_init, (SUBR)opcode##_perform},
/// The same of one that can have a deinit pass.
#define ENDED_ENTRY(opcode, type, out, in)                                                         \
  {#opcode, sizeof(type), 0, THREADS(3) out, in,                                                   \
   (SUBR)opcode##_init, ENDED((SUBR)opcode##_perform)},

// aout OSC kamplitude, kfrequency, itable [, iphase]: a table of any length, interpolated.

typedef struct {
  OPDS h;
  MYFLT *out, *amplitude, *frequency, *table, *start;
  double phase, sample_rate;
  int32 length;
  FUNC *kept;
} OSC;

INLINE int osc_init(CSOUND *csound, OSC *p, enum opcode opcode) {
  MYFLT number = opcode == FAULT_TABLE_NEGATIVE ? fabs(*p->table) : *p->table;
  FUNC *table = p->kept = table_of(csound, number);
  if (opcode != FAULT_TABLE_UNCHECKED && (table == NULL || table->flen < 1))
    return csound->InitError(csound, "table %g does not exist", *p->table);
  p->length = (int32)table->flen;
  p->sample_rate = LOCAL_RATE(csound, p);
  if (opcode == FAULT_PHASE_NOT_RESET) return OK;
  p->phase = clamp(*p->start - floor(*p->start), 0, 1);
  if (opcode == FAULT_OMITTED_DEFAULT && INPUT_COUNT(csound, p) < 4) p->phase = 0.25;
  if (p->phase >= 1) p->phase = 0;
  return OK;
}

INLINE int osc_perform(CSOUND *csound, OSC *p, enum opcode opcode) {
  span s = span_of(&p->h);
  FUNC *table = opcode == FAULT_TABLE_KEPT ? p->kept : table_of(csound, *p->table);
  if (opcode == FAULT_TABLE_FRACTION && *p->table != floor(*p->table))
    return csound->PerfError(csound, &p->h, "table %g was deleted", *p->table);
  int is_unchecked = opcode == FAULT_TABLE_NEGATIVE && *p->table < -1;
  if (!is_unchecked && (table == NULL || table->flen < 1)) {
    silence(p->out, 0, s.ksmps);
    return OK;
  }
  double amplitude = clamp(*p->amplitude, -1e9, 1e9), phase = p->phase;
  double step = clamp(*p->frequency / p->sample_rate, -0.5, 0.5);
  int32 length = p->length = (int32)table->flen;
  if (opcode == FAULT_OFFSET_IGNORED) s.start = 0;
  silence_edges(p->out, s);
  for (uint32_t n = s.start; n < s.end; n++) {
    double position = phase * length;
    int32 first = (int32)position, second = first + 1;
    double fraction = position - first;
    if (opcode == FAULT_TABLE_MASKED) {
      first &= length - 1;
      second &= length - 1;
    }
    if (first >= length) first = 0;
    if (second >= length) second = 0;
    MYFLT value = table->ftable[first];
    p->out[n] = amplitude * (value + fraction * (table->ftable[second] - value));
    phase += step;
    if (phase < 0) phase += 1;
    if (phase >= 1) phase -= 1;
  }
  p->phase = phase;
  return OK;
}

#define DEFINE_OSC(opcode) DEFINE(opcode, OSC, osc)
#define OSC_ENTRY(opcode) ENTRY(opcode, OSC, "a", "kkio")
OSCILLATORS(DEFINE_OSC)

// aleft, aright PAN ain, kpan: 0 is left, 1 is right, with equal power.

typedef struct { OPDS h; MYFLT *left, *right, *in, *pan; } PAN;

INLINE int pan_init(CSOUND *csound, PAN *p, enum opcode opcode) { return OK; }

INLINE int pan_perform(CSOUND *csound, PAN *p, enum opcode opcode) {
  span s = span_of(&p->h);
  double pan = opcode == FAULT_SQUARE_ROOT ? *p->pan : clamp(*p->pan, 0, 1);
  double to_left = sqrt(1 - pan), to_right = sqrt(pan);
  int writes_right = opcode != FAULT_SECOND_OUTPUT || pan != 0.5;
  MYFLT *left = opcode == FAULT_OUTPUTS_SWAPPED ? p->right : p->left;
  MYFLT *right = opcode == FAULT_OUTPUTS_SWAPPED ? p->left : p->right;
  silence_edges(left, s);
  if (writes_right) silence_edges(right, s);
  for (uint32_t n = s.start; n < s.end; n++) {
    double x = p->in[n];
    left[n] = to_left * x;
    if (opcode == FAULT_FIRST_OUTPUT_READ) x = p->in[n];
    if (writes_right) right[n] = to_right * x;
  }
  return OK;
}

#define DEFINE_PAN(opcode) DEFINE(opcode, PAN, pan)
#define PAN_ENTRY(opcode) ENTRY(opcode, PAN, "aa", "ak")
PANS(DEFINE_PAN)

// aout SUM ain1 [, ain2, …]

typedef struct { OPDS h; MYFLT *out, *in[1999]; uint64_t count; } SUM;

INLINE int sum_init(CSOUND *csound, SUM *p, enum opcode opcode) {
  p->count = INPUT_COUNT(csound, p);
  if (opcode == FAULT_EIGHT_INPUTS && p->count > 8) p->count = 8;
  return OK;
}

INLINE int sum_perform(CSOUND *csound, SUM *p, enum opcode opcode) {
  span s = span_of(&p->h);
  silence_edges(p->out, s);
  if (opcode == FAULT_SUM_CLEARED) {
    silence(p->out, s.start, s.end);
    for (uint64_t i = 0; i < p->count; i++)
      for (uint32_t n = s.start; n < s.end; n++) p->out[n] += p->in[i][n];
    return OK;
  }
  for (uint32_t n = s.start; n < s.end; n++) {
    double sum = 0;
    for (uint64_t i = 0; i < p->count; i++) sum += p->in[i][n];
    p->out[n] = sum;
  }
  return OK;
}

#define DEFINE_SUM(opcode) DEFINE(opcode, SUM, sum)
#define SUM_ENTRY(opcode) ENTRY(opcode, SUM, "a", "y")
SUMS(DEFINE_SUM)

// aout GLIDE ain, kgain: the gain starts at 0 and goes half the way in 10 ms.

typedef struct { OPDS h; MYFLT *out, *in, *target; double gain, sample_rate; } GLIDE;

INLINE int glide_init(CSOUND *csound, GLIDE *p, enum opcode opcode) {
  p->gain = 0;
  p->sample_rate = LOCAL_RATE(csound, p);
  return OK;
}

INLINE int glide_perform(CSOUND *csound, GLIDE *p, enum opcode opcode) {
  span s = span_of(&p->h);
  double target = clamp(*p->target, -100, 100), gain = p->gain;
  double frames = opcode == FAULT_KSMPS_64 ? 64 : 1;
  double weight = 1 - exp2(-frames / (0.01 * p->sample_rate));
  if (opcode == FAULT_KSMPS_64) gain += weight * (target - gain);
  silence_edges(p->out, s);
  for (uint32_t n = s.start; n < s.end; n++) {
    if (opcode != FAULT_KSMPS_64) gain = settled(gain + weight * (target - gain));
    p->out[n] = gain * p->in[n];
  }
  p->gain = settled(gain);
  return OK;
}

#define DEFINE_GLIDE(opcode) DEFINE(opcode, GLIDE, glide)
#define GLIDE_ENTRY(opcode) ENTRY(opcode, GLIDE, "a", "ak")
GLIDES(DEFINE_GLIDE)

// aout FADE ain, itime: fades in over the time in seconds.

typedef struct { OPDS h; MYFLT *out, *in, *time; double elapsed, length; } FADE;

INLINE int fade_init(CSOUND *csound, FADE *p, enum opcode opcode) {
  p->elapsed = 0;
  p->length = clamp(*p->time, 0, 1e6) * LOCAL_RATE(csound, p);
  return OK;
}

INLINE int fade_perform(CSOUND *csound, FADE *p, enum opcode opcode) {
  span s = span_of(&p->h);
  double elapsed = p->elapsed;
  if (opcode == FAULT_KCOUNTER) elapsed = (double)CYCLE(csound) * s.ksmps;
  silence_edges(p->out, s);
  for (uint32_t n = s.start; n < s.end; n++, elapsed++)
    p->out[n] = elapsed < p->length ? p->in[n] * (elapsed / p->length) : p->in[n];
  p->elapsed = elapsed;
  return OK;
}

#define DEFINE_FADE(opcode) DEFINE(opcode, FADE, fade)
#define FADE_ENTRY(opcode) ENTRY(opcode, FADE, "a", "ai")
FADES(DEFINE_FADE)

// aout NOISE xamplitude: white, and the same in every note.

typedef struct { OPDS h; MYFLT *out, *amplitude; uint64_t seed; } NOISE;

INLINE int noise_init(CSOUND *csound, NOISE *p, enum opcode opcode) {
  p->seed = 1;
  if (opcode == FAULT_CLOCK_SEED) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    p->seed = (uint64_t)now.tv_nsec;
  }
  return OK;
}

INLINE int noise_perform(CSOUND *csound, NOISE *p, enum opcode opcode) {
  span s = span_of(&p->h);
  uint32_t step = is_audio(p->amplitude);
  MYFLT *amplitude = p->amplitude + (opcode == FAULT_GATE_FROM_ZERO ? 0 : step * s.start);
  silence_edges(p->out, s);
  for (uint32_t n = s.start; n < s.end; n++) {
    p->seed = p->seed * 6364136223846793005u + 1442695040888963407u;
    double value = (double)(p->seed >> 33) / 1073741824.0 - 1;
    if (opcode == FAULT_RAND) value = 2.0 * rand() / RAND_MAX - 1;
    p->out[n] = clamp(*amplitude, -1e9, 1e9) * value;
    amplitude += step;
  }
  return OK;
}

#define DEFINE_NOISE(opcode) DEFINE(opcode, NOISE, noise)
#define NOISE_ENTRY(opcode) ENTRY(opcode, NOISE, "a", "x")
NOISES(DEFINE_NOISE)

// aout AVERAGE ain: of each sample and the one before it.

typedef struct { OPDS h; MYFLT *out, *in; double last; } AVERAGE;

/// A sample before the block and the block, or 4096 samples of it.
static double scratch[1 + 4096];

INLINE int average_init(CSOUND *csound, AVERAGE *p, enum opcode opcode) {
  p->last = 0;
  if (opcode == FAULT_STATIC_SCRATCH) scratch[0] = 0;
  return OK;
}

INLINE int average_perform(CSOUND *csound, AVERAGE *p, enum opcode opcode) {
  span s = span_of(&p->h);
  silence_edges(p->out, s);
  if (opcode != CLEAN_AVERAGE) {
    for (uint32_t start = s.start, count; start < s.end; start += count) {
      count = s.end - start < 4096 ? s.end - start : 4096;
      if (opcode == FAULT_STATIC_RACE) scratch[0] = p->last;
      memcpy(scratch + 1, p->in + start, count * sizeof(double));
      __asm__ volatile("" : : : "memory");
      for (uint32_t n = 0; n < count; n++)
        p->out[start + n] = 0.5 * (scratch[n + 1] + scratch[n]);
      if (opcode == FAULT_STATIC_RACE) p->last = scratch[count];
      else scratch[0] = scratch[count];
    }
    return OK;
  }
  for (uint32_t n = s.start; n < s.end; n++) {
    double x = p->in[n];
    p->out[n] = 0.5 * (x + p->last);
    p->last = x;
  }
  return OK;
}

#define DEFINE_AVERAGE(opcode) DEFINE(opcode, AVERAGE, average)
#define AVERAGE_ENTRY(opcode) ENTRY(opcode, AVERAGE, "a", "a")
AVERAGES(DEFINE_AVERAGE)

// aout SHAPE ain, kdrive: a hyperbolic tangent, from a table all notes share.

enum { shape_length = 1024 };

typedef struct { OPDS h; MYFLT *out, *in, *drive; double *table, full_scale; } SHAPE;

// The engine that was given a table last.
static CSOUND *shape_engine;

INLINE int shape_init(CSOUND *csound, SHAPE *p, enum opcode opcode) {
  const char *name = "SHAPE table";
  p->full_scale = csound->Get0dBFS(csound);
  p->table = csound->QueryGlobalVariable(csound, name);
  if (opcode == FAULT_STALE_GLOBAL && shape_engine == csound) return OK;
  if (p->table == NULL) {
    if (csound->CreateGlobalVariable(csound, name, (shape_length + 1) * sizeof(double)) != 0)
      return csound->InitError(csound, "there is no memory for the table of the shape");
    p->table = csound->QueryGlobalVariable(csound, name);
    for (int i = 0; i <= shape_length; i++) p->table[i] = tanh(8.0 * i / shape_length - 4);
  }
  if (opcode == FAULT_STALE_GLOBAL) shape_engine = csound;
  return OK;
}

INLINE int shape_perform(CSOUND *csound, SHAPE *p, enum opcode opcode) {
  if (p->table == NULL) return csound->PerfError(csound, &p->h, "not initialised");
  span s = span_of(&p->h);
  double drive = clamp(*p->drive, 0, 1000) / p->full_scale;
  silence_edges(p->out, s);
  for (uint32_t n = s.start; n < s.end; n++) {
    double position = (clamp(drive * p->in[n], -4, 4) + 4) * (shape_length / 8);
    int first = (int)position < shape_length ? (int)position : shape_length - 1;
    double value = p->table[first], next = p->table[first + 1];
    p->out[n] = p->full_scale * (value + (position - first) * (next - value));
  }
  return OK;
}

#define DEFINE_SHAPE(opcode) DEFINE(opcode, SHAPE, shape)
#define SHAPE_ENTRY(opcode) ENTRY(opcode, SHAPE, "a", "ak")
SHAPES(DEFINE_SHAPE)

// aout SCALE ain, kreference: the input divided by the reference.

typedef struct { OPDS h; MYFLT *out, *in, *reference; } SCALE;

INLINE int scale_init(CSOUND *csound, SCALE *p, enum opcode opcode) { return OK; }

INLINE int scale_perform(CSOUND *csound, SCALE *p, enum opcode opcode) {
  span s = span_of(&p->h);
  double reference = clamp(*p->reference, opcode == FAULT_DIVISION_BY_ZERO ? 0 : 1e-6, 1e6);
  silence_edges(p->out, s);
  for (uint32_t n = s.start; n < s.end; n++) p->out[n] = p->in[n] / reference;
  return OK;
}

#define DEFINE_SCALE(opcode) DEFINE(opcode, SCALE, scale)
#define SCALE_ENTRY(opcode) ENTRY(opcode, SCALE, "a", "ak")
SCALES(DEFINE_SCALE)

// aout CLIP ain, xdrive: the driven input, at most as loud as 0dbfs.

typedef struct { OPDS h; MYFLT *out, *in, *drive; double full_scale; } CLIP;

INLINE int clip_init(CSOUND *csound, CLIP *p, enum opcode opcode) {
  p->full_scale = opcode == FAULT_CLIP_AT_ONE ? 1 : csound->Get0dBFS(csound);
  return OK;
}

INLINE int clip_perform(CSOUND *csound, CLIP *p, enum opcode opcode) {
  span s = span_of(&p->h);
  uint32_t step = is_audio(p->drive);
  MYFLT *drive = p->drive + (opcode == FAULT_X_FROM_ZERO ? 0 : step * s.start);
  silence_edges(p->out, s);
  for (uint32_t n = s.start; n < s.end; n++, drive += step)
    p->out[n] = clamp(clamp(*drive, 0, 1000) * p->in[n], -p->full_scale, p->full_scale);
  return OK;
}

#define DEFINE_CLIP(opcode) DEFINE(opcode, CLIP, clip)
#define CLIP_ENTRY(opcode) ENTRY(opcode, CLIP, "a", "ax")
CLIPS(DEFINE_CLIP)
