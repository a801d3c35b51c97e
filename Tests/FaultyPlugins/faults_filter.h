// FILTER, and what is wrong with it in each of its faults.

#pragma once

#include "faults.h"

#include <fenv.h>
#include <pthread.h>

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
