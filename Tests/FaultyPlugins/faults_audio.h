// Opcodes with audio that hold no memory of their own: FILTER, OSC, PAN, SUM, GLIDE, FADE, NOISE,
// AVERAGE, SHAPE, SCALE and CLIP.

#pragma once

#include "faults.h"

#include <fenv.h>
#include <pthread.h>
#include <time.h>
#include <unistd.h>

// aout FILTER ain, xcutoff, kgain [, iskip]: a one-pole lowpass.

typedef struct {
  OPDS h;
  MYFLT *out, *in, *cutoff, *gain, *skip;
  double sample_rate;
  double pair[2]; // 96 bytes from the start
  double last, held, full_scale;
  uint64_t blocks;
  pthread_mutex_t mutex;
  double cached, level;
  double state;
} FILTER;

static double filter_state, filter_sample_rate;

INLINE double filter_pole(double cutoff, double sample_rate, enum opcode opcode);

INLINE int filter_init(CSOUND *csound, FILTER *p, enum opcode opcode) {
  int keeps = *p->skip != 0;
  p->sample_rate = LOCAL_RATE(csound, p);
  p->full_scale = csound->Get0dBFS(csound);
  p->held = NAN;
  p->blocks = 0;
  if (opcode == FAULT_SAMPLE_RATE_44100) p->sample_rate = 44100;
  if (opcode == FAULT_ENGINE_SAMPLE_RATE) p->sample_rate = SAMPLE_RATE(csound);
  if (opcode == FAULT_STATIC_SAMPLE_RATE) {
    if (filter_sample_rate == 0) filter_sample_rate = p->sample_rate;
    p->sample_rate = filter_sample_rate;
  }
  if (opcode == FAULT_NO_RESET) keeps = 1;
  if (opcode == FAULT_SKIP_IGNORED) keeps = 0;
  if (opcode == FAULT_NO_RESET_AT_REINIT && p->h.insdshead->reinitflag) keeps = 1;
  if (opcode == FAULT_MUTEX) pthread_mutex_init(&p->mutex, NULL);
  if (opcode == FAULT_COEFFICIENT_AT_INIT) {
    p->held = *p->cutoff;
    p->cached = filter_pole(p->held, 2 * p->sample_rate, opcode);
  }
  if (opcode == FAULT_GAIN_FROM_ZERO) p->held = 0, p->cached = 1;
  if (keeps) return OK;
  p->level = 1;
  p->state = p->last = 0;
  if (opcode == FAULT_ALIGNED_ACCESS) p->pair[0] = p->pair[1] = 0;
  if (opcode == FAULT_STATIC_STATE) filter_state = 0;
  return OK;
}

INLINE double filter_pole(double cutoff, double sample_rate, enum opcode opcode) {
  double hertz = clamp(cutoff, 0, 0.5 * sample_rate);
  if (opcode == FAULT_COEFFICIENT) hertz *= 1.01;
  return exp(-2 * M_PI * hertz / sample_rate);
}

INLINE double filter_settled(double x, enum opcode opcode) {
  if (opcode == FAULT_NAN_LATCH || opcode == FAULT_NAN_GAIN) return fabs(x) < 1e-30 ? 0 : x;
  if (opcode == FAULT_INFINITY_LATCH) return isnan(x) || fabs(x) < 1e-30 ? 0 : x;
  if (opcode == FAULT_NO_FLUSH) return fabs(x) <= 1e30 ? x : 0;
  return settled(x);
}

/// Stores a value twice, by an instruction that wants a multiple of 16 for an address.
INLINE void store_aligned(double *pair, double value) {
#if defined(__aarch64__)
  int64_t bits, is_refused;
  memcpy(&bits, &value, sizeof bits);
  __asm__ volatile("ldxp xzr, x9, [%1]\n stxp %w0, %2, %2, [%1]"
                   : "=&r"(is_refused) : "r"(pair), "r"(bits) : "x9", "memory");
#else
  typedef double pair_of __attribute__((vector_size(16)));
  pair_of both = {value, value};
  __asm__ volatile("movapd %1, %0" : "=m"(*(double (*)[2])pair) : "x"(both));
#endif
}

INLINE int filter_perform(CSOUND *csound, FILTER *p, enum opcode opcode, int is_audio_rate) {
  span s = span_of(&p->h);
  if (opcode == FAULT_GLOBAL_KSMPS) {
    s.ksmps = KSMPS(csound);
    s.end = s.ksmps - p->h.insdshead->ksmps_no_end;
  }
  if (opcode == FAULT_EARLY_END_LATE && s.end < s.ksmps) s.end++;
  if (opcode == FAULT_EARLY_END_SOON && s.end < s.ksmps && s.end > s.start) s.end--;
  if (opcode == FAULT_END_INSIDE && s.start > 0 && s.end < s.ksmps) s.end++;
  if (opcode == FAULT_START_UNUSED || opcode == FAULT_STATE_BEFORE_START) s.start = 0;
  if (opcode == FAULT_END_INSIDE_SOON && s.start > 0 && s.end < s.ksmps) s.end--;

  MYFLT *out = p->out, *in = p->in, *copy = NULL;
  if (opcode == FAULT_OUTPUT_CLEARED) silence(out, 0, s.ksmps);
  if (opcode != FAULT_HEAD_NOT_ZEROED) silence(out, 0, s.start);
  if (opcode != FAULT_TAIL_NOT_ZEROED) silence(out, s.end, s.ksmps);
  if (opcode == FAULT_MALLOC) {
    copy = malloc(s.ksmps * sizeof(MYFLT));
    OPAQUE(copy);
    memcpy(copy, in, s.ksmps * sizeof(MYFLT));
    in = copy;
  }
  if (opcode == FAULT_MUTEX) pthread_mutex_lock(&p->mutex);
  if (opcode == FAULT_SYSTEM_CALL) getppid();
  if (opcode == FAULT_MESSAGE) csound->Message(csound, "filter state %f\n", p->state);
  if (opcode == FAULT_ROUNDING_MODE) fesetround(FE_TOWARDZERO);

  double state = opcode == FAULT_STATIC_STATE ? filter_state : p->state;
  if (opcode == FAULT_ALIGNED_ACCESS) state = p->pair[0];
  double gain = clamp(*p->gain, 0, 100), last = p->last, pole = 0;
  if (opcode == FAULT_AUDIO_RATE_GAIN && is_audio_rate) gain *= 1.01;
  if (opcode == FAULT_NAN_GAIN) gain = *p->gain;
  if (opcode == FAULT_GAIN) gain *= 1.0115794542598986;
  if (opcode == FAULT_GAIN_FROM_ZERO) {
    if (*p->gain != p->held) p->held = *p->gain, p->cached = gain;
    gain = p->cached;
  }
  if (opcode == FAULT_LEVEL_SKIPPED) gain *= p->level;
  if (!is_audio_rate) {
    double cutoff = *p->cutoff, held = p->held;
    if (opcode == FAULT_CONTROL_CLAMPED) *p->cutoff = clamp(cutoff, 0, 0.5 * p->sample_rate);
    if (opcode == FAULT_CONTROL_LATE) p->held = cutoff;
    if (opcode == FAULT_CONTROL_ONCE && isnan(held)) p->held = cutoff;
    if (opcode == FAULT_CONTROL_LATE || opcode == FAULT_CONTROL_ONCE)
      cutoff = isnan(held) ? cutoff : held;
    pole = filter_pole(cutoff, p->sample_rate, opcode);
    if (opcode == FAULT_COEFFICIENT_AT_INIT) {
      if (cutoff != held) p->held = cutoff, p->cached = pole;
      pole = p->cached;
    }
  }
  if (opcode == FAULT_WORST_BLOCK && ++p->blocks % 100 == 0)
    for (uint32_t times = 0; times < 2000; times++) {
      double tried = state;
      for (uint32_t n = s.start; n < s.end; n++)
        tried = settled((1 - pole) * (gain * in[n]) + pole * tried);
      __asm__ volatile("" : : FLOAT_REGISTER(tried) : "memory");
    }

  uint32_t end = s.end;
  if (opcode == FAULT_GROUPS_OF_16) end = s.start + ((s.end - s.start) & ~15u);
  for (uint32_t n = s.start; n < end; n++) {
    double x = gain * in[opcode == FAULT_INPUT_FROM_ZERO ? n - s.start : n];
    if (opcode == FAULT_READ_PAST_END && n + 1 == s.ksmps) x = gain * in[n + 1];
    if (opcode == FAULT_INPUT_SCALED) in[n] = x;
    if (is_audio_rate) {
      if (opcode == FAULT_CONTROL_CLEARED) out[n] = 0;
      uint32_t control = opcode == FAULT_AUDIO_RATE_FIRST ? s.start : n;
      // Kept with the first cutoff of the block instead of its own.
      int is_known = opcode == FAULT_CUTOFF_KEPT && p->cutoff[control] == p->held && n > s.start;
      if (!is_known) pole = filter_pole(p->cutoff[control], p->sample_rate, opcode);
      if (opcode == FAULT_CUTOFF_KEPT) p->held = p->cutoff[s.start];
    }
    state = filter_settled((1 - pole) * x + pole * state, opcode);
    double y = state;
    if (opcode == FAULT_HALF_SAMPLE) y = 0.5 * (state + last);
    if (opcode == FAULT_ONE_SAMPLE) y = last;
    if (opcode == FAULT_DC_OFFSET) y += 0.001 * p->full_scale;
    last = state;
    if (opcode != FAULT_LAST_SAMPLE || n + 1 < s.ksmps) out[n] = y;
  }
  if (opcode == FAULT_STATE_BEFORE_START) silence(out, 0, span_of(&p->h).start);
  if (opcode == FAULT_WRITE_PAST_END) out[s.ksmps] = state;
  if (opcode == FAULT_WRITE_BEFORE_START) out[-1] = state;

  p->last = last;
  if (opcode == FAULT_STATIC_STATE) filter_state = state;
  else p->state = state;
  if (opcode == FAULT_ALIGNED_ACCESS) store_aligned(p->pair, state);
  if (opcode == FAULT_MUTEX) pthread_mutex_unlock(&p->mutex);
  if (opcode == FAULT_MALLOC) free(copy);
  return OK;
}

#define DEFINE_FILTER(opcode)                                                                      \
  static int opcode##_init(CSOUND *csound, FILTER *p) { return filter_init(csound, p, opcode); }   \
  static int opcode##_k(CSOUND *csound, FILTER *p) {                                               \
    return filter_perform(csound, p, opcode, 0);                                                   \
  }                                                                                                \
  static int opcode##_a(CSOUND *csound, FILTER *p) {                                               \
    return filter_perform(csound, p, opcode, opcode != FAULT_OTHER_OVERLOAD);                      \
  }
#define FILTER_BYTES(opcode)                                                                       \
  (uint16)(opcode == FAULT_BLOCK_TOO_SMALL ? offsetof(FILTER, state) : sizeof(FILTER))
#define FILTER_ENTRY(opcode)                                                                       \
  {#opcode ".k", FILTER_BYTES(opcode), 0, THREADS(3) "a", "akko", (SUBR)opcode##_init, (SUBR)opcode##_k},  \
  {#opcode ".a", FILTER_BYTES(opcode), 0, THREADS(3) "a", "aako", (SUBR)opcode##_init, (SUBR)opcode##_a},

FILTERS(DEFINE_FILTER)

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

static struct { CSOUND *csound; double *table; } shape_cache;

INLINE int shape_init(CSOUND *csound, SHAPE *p, enum opcode opcode) {
  const char *name = "SHAPE table";
  p->full_scale = csound->Get0dBFS(csound);
  if (opcode == FAULT_STALE_GLOBAL && shape_cache.csound == csound) {
    p->table = shape_cache.table;
    return OK;
  }
  p->table = csound->QueryGlobalVariable(csound, name);
  if (p->table == NULL) {
    if (csound->CreateGlobalVariable(csound, name, (shape_length + 1) * sizeof(double)) != 0)
      return csound->InitError(csound, "there is no memory for the table of the shape");
    p->table = csound->QueryGlobalVariable(csound, name);
    for (int i = 0; i <= shape_length; i++) p->table[i] = tanh(8.0 * i / shape_length - 4);
  }
  if (opcode == FAULT_STALE_GLOBAL) {
    shape_cache.csound = csound;
    shape_cache.table = p->table;
  }
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
