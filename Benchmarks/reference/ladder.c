/* aout ladder_c ain, kcutoff, kresonance [, iskip]: the algorithm of Opcodes/Filters/MoogLadder.swift by hand
   in C, to show what the kit costs. What the numbers mean is said there. */

#include <csdl.h>
#include <math.h>

typedef double pair __attribute__((ext_vector_type(2)));
typedef unsigned long long bits __attribute__((ext_vector_type(2)));

#define INLINE static inline __attribute__((always_inline))

typedef struct { double gain, a, b; } small_gain;
typedef struct { double gain, feedback, a, b, c; int is_gentle; small_gain small; } tuning;

typedef struct {
  pair tops, bottoms, third, end;
  double t2, d3, before, slope;
} ladder;

typedef struct {
  OPDS h;
  MYFLT *out, *in, *cutoff, *resonance, *skip;
  double to_voltage, from_voltage, sample_period;
  double state[12];
} LADDER;

INLINE pair both(double x) { return (pair){x, x}; }
INLINE pair firsts(pair a, pair b) { return __builtin_shufflevector(a, b, 0, 2); }
INLINE pair seconds(pair a, pair b) { return __builtin_shufflevector(a, b, 1, 3); }
INLINE double value(pair p) { return p[0] / p[1]; }

INLINE pair tanh_fraction(pair tops, pair bottoms) {
  pair z = tops * tops, w = bottoms * bottoms;
  pair odd = firsts(tops * (bottoms * 0.9999999999999943), w + z * (1 / 6160.3227174316845));
  pair f1 = w + z * (pair){1 / 1533.5828060449909, 1 / 678.02157480623088};
  pair f2 = w + z * (pair){1 / 379.98993303612369, 1 / 243.30608688111909};
  pair f3 = w + z * (pair){1 / 169.36637329174038, 1 / 122.99490109968912};
  pair f4 = w + z * (pair){1 / 89.051560813110499, 1 / 61.697618031732610};
  pair f5 = w + z * (pair){1 / 39.478756686318120, 1 / 22.206613907799713};
  pair f6 = w + z * (pair){1 / 9.8696044182021330, 1 / 2.4674011002880461};
  return ((odd * f1) * (f2 * f3)) * ((f4 * f5) * f6);
}

INLINE pair short_tanh(pair tops, pair bottoms) {
  pair z = tops * tops, w = bottoms * bottoms;
  pair odd = firsts(tops * bottoms, w + z * (1 / 2033.8397549319575));
  pair f1 = w + z * (pair){1 / 492.4615013473779, 1 / 208.75177580564434};
  pair f2 = w + z * (pair){1 / 110.9180192751347, 1 / 65.89493350695334};
  pair f3 = w + z * (pair){1 / 39.9564436548951, 1 / 22.231527019693587};
  pair f4 = w + z * (pair){1 / 9.870059845998474, 1 / 2.4674027647366383};
  return ((odd * f1) * f2) * (f3 * f4);
}

INLINE pair unscale(pair p, unsigned long long power) {
  return (pair)((power + 1) * 0x3FF0000000000000ull - ((bits)p & 0x7FF0000000000000ull) * power);
}

INLINE small_gain small(double gain, double zero, double pole) {
  double square = gain * gain;
  return (small_gain){gain, square * (1 / zero), square * (1 / pole)};
}

/* As Vector.expMinusOne. */
INLINE double exp_minus_one(double x) {
  double shifted = x * 0x1.71547652b82fep+0 + 0x1.8p52, n = shifted - 0x1.8p52;
  double y = (x - n * 0x1.62e42fee00000p-1) - n * 0x1.a39ef35793c76p-33, y2 = y * y;
  double p01 = 0.5000000000000001 + y * 0.16666666666666669;
  double p23 = 0.041666666666624164 + y * 0.008333333333330065;
  double p45 = 0.0013888888917196719 + y * 0.00019841269863040545;
  double p67 = 2.4801521322368668e-05 + y * 2.7557268480310007e-06;
  double p89 = 2.762007587999593e-07 + y * 2.5100375832570895e-08;
  double high = (p45 + y2 * p67) + (y2 * y2) * p89;
  double rest = y + y2 * ((p01 + y2 * p23) + (y2 * y2) * high);
  union { double number; unsigned long long bits; } scale = {shifted};
  scale.bits = (scale.bits << 52) + 0x3FF0000000000000ull;
  return scale.number * rest + (scale.number - 1);
}

INLINE tuning tune(double cutoff, double resonance) {
  tuning t;
  double positive = cutoff > 0 ? cutoff : 0, f = positive < 0.75 ? positive : 0.75, square = f * f;
  double tuned = (0.9988 - 0.6490 * f) + square * (0.4955 + 1.8730 * f);
  double full = (0.9968 + 1.8409 * f) - 3.9364 * square;
  double g = 0 - exp_minus_one((f * -M_PI) * tuned);
  t.gain = g;
  t.feedback = (4 * (resonance > 0 ? resonance : 0)) * full;
  square = g * g;
  t.is_gentle = g < 0.32 && g * t.feedback < 1;
  t.small = small(g, 15.060939632630948, 2.501704706107888);
  t.a = square * (1 / 10.592067754257327);
  t.b = square * (1 / 2.469880565413837);
  t.c = square * (1 / 43.73620405803559);
  return t;
}

INLINE void small_rest(pair *tops, pair *bottoms, small_gain k) {
  pair z = *tops * *tops, w = *bottoms * *bottoms;
  pair even = w + k.b * z, odd = k.gain * w + (k.gain * k.a) * z;
  *tops = (*tops * *bottoms) * (even - odd);
  *bottoms = w * even - z * odd;
}

INLINE pair small_advance(pair tangent, pair u, small_gain k, pair scale) {
  pair swapped = __builtin_shufflevector(tangent, tangent, 1, 0);
  pair top = firsts(u, u), bottom = seconds(u, u), squares = (u * u) * scale;
  return seconds(squares, squares) * (tangent * bottom + (swapped * k.gain) * top) +
         firsts(squares, squares) * ((tangent * k.b) * bottom + (swapped * (k.gain * k.a)) * top);
}

INLINE void finish(ladder *s, pair first, pair second, pair end, pair third, const tuning *k) {
  pair bottoms = seconds(first, second), shortening = unscale(bottoms, 1);
  double t3 = value(third);
  s->tops = firsts(first, second) * shortening, s->bottoms = bottoms * shortening;
  s->end = end, s->third = third;
  s->t2 = value(s->end);
  s->slope = 0.5 * k->gain;
  s->before = s->d3;
  s->d3 += k->gain * (s->t2 - t3);
}

INLINE void gentle_half_step(ladder *s, double input, const tuning *k) {
  double early = input - k->feedback * s->before, late = k->feedback * s->slope;
  pair drive, first, second, end, below = seconds(s->third, s->third), tangent;
  pair tops = s->tops, bottoms = s->bottoms, top2 = both(s->t2), bottom2 = both(1);
  pair third = short_tanh(both(s->d3), both(1));
  if (__builtin_expect(fabs(early) > 10, 0)) early = early > 0 ? 10 : -10;
  tangent = short_tanh(early * below + late * firsts(s->third, s->third), below);
  drive = small_advance(tangent, s->end, small(-late, 15.148239295676603, 2.5041870906071177),
                        unscale(seconds(tangent, tangent), 1) * unscale(seconds(s->end, s->end), 3));
  small_rest(&tops, &bottoms, k->small);
  small_rest(&top2, &bottom2, k->small);
  first = small_advance(firsts(tops, bottoms), drive, k->small, both(1));
  second = small_advance(seconds(tops, bottoms), first, k->small, both(1));
  end = small_advance(firsts(top2, bottom2), second, k->small, unscale(seconds(first, first), 9));
  finish(s, first, second, end, third, k);
}

INLINE pair steep_rest(pair t, const tuning *k) {
  pair z = t * t;
  pair even = (1 + k->b * z) * (1 + k->c * z);
  pair odd = k->gain + k->gain * k->a * z;
  return t * (even - odd) / (even - z * odd);
}

INLINE pair steep_advance(pair tangent, pair u, const tuning *k) {
  pair steep = __builtin_shufflevector(tangent, tangent, 1, 0) * k->gain;
  pair top = firsts(u, u), bottom = seconds(u, u);
  pair z = top * top, w = bottom * bottom;
  pair line = top * (bottom * steep);
  return (w + k->b * z) * (tangent * w + (tangent * k->c) * z) + line * (w + k->a * z);
}

INLINE void steep_half_step(ladder *s, double input, const tuning *k) {
  pair one = both(1), first, second, tops, bottoms, s01, s2;
  pair early = both(input - k->feedback * (s->before - s->slope * value(s->third)));
  pair late = both(k->feedback * s->slope);
  if (__builtin_expect(s->end[1] > 0x1p12, 0)) s->end *= unscale(seconds(s->end, s->end), 1);
  bottoms = seconds(s->end, s->end);
  tops = early * bottoms - late * firsts(s->end, s->end);
  s01 = steep_rest(s->tops / s->bottoms, k), s2 = steep_rest(both(s->t2), k);
  if (__builtin_expect(fabs(tops[0]) > 10 * bottoms[0], 0)) {
    tops = both(tops[0] > 0 ? 10 : -10);
    bottoms = one;
  }
  first = steep_advance(firsts(s01, one), tanh_fraction(tops, bottoms), k);
  first = (pair){value(first), 1};
  second = steep_advance(seconds(s01, one), first, k);
  finish(s, first, second, steep_advance(firsts(s2, one), second, k), tanh_fraction(both(s->d3), one), k);
}

static int ladder_init(CSOUND *csound, LADDER *p) {
  if (*p->skip == 0.0) {
    p->from_voltage = 1.22070315 * csound->Get0dBFS(csound);
    p->to_voltage = 1 / p->from_voltage;
    p->sample_period = 1 / csound->GetSr(csound);
    memset(p->state, 0, sizeof p->state);
    p->state[2] = p->state[3] = p->state[5] = p->state[7] = 1;
  }
  return OK;
}

static int ladder_perform(CSOUND *csound, LADDER *p) {
  uint32_t offset = p->h.insdshead->ksmps_offset, early = p->h.insdshead->ksmps_no_end;
  uint32_t end = p->h.insdshead->ksmps - early;
  double *x = p->state;
  ladder s = {{x[0], x[1]}, {x[2], x[3]}, {x[4], x[5]}, {x[6], x[7]}, x[8], x[9], x[10], x[11]};
  tuning k = tune(*p->cutoff * p->sample_period, *p->resonance);
  MYFLT *out = p->out, *in = p->in;
  double to_voltage = p->to_voltage, from_voltage = p->from_voltage;
  double level = (fabs(s.tops[0]) + fabs(s.tops[1])) + (fabs(s.t2) + fabs(s.d3));
  if (!(level >= 1e-30 && level < INFINITY)) s = (ladder){{0, 0}, {1, 1}, {0, 1}, {0, 1}};
  for (uint32_t n = 0; n < offset; n++) out[n] = 0.0;
  for (uint32_t n = offset; n < end; n++) {
    double input = in[n] * to_voltage;
    if (fabs(input) < 1e-30) input = 0;
    if (k.is_gentle && k.feedback * s.slope < 0.5) {
      gentle_half_step(&s, input, &k);
      gentle_half_step(&s, input, &k);
    } else {
      steep_half_step(&s, input, &k);
      steep_half_step(&s, input, &k);
    }
    out[n] = (s.before + s.slope * (s.t2 - value(s.third))) * from_voltage;
  }
  for (uint32_t n = end; n < end + early; n++) out[n] = 0.0;
  x[0] = s.tops[0], x[1] = s.tops[1], x[2] = s.bottoms[0], x[3] = s.bottoms[1];
  x[4] = s.third[0], x[5] = s.third[1], x[6] = s.end[0], x[7] = s.end[1];
  x[8] = s.t2, x[9] = s.d3, x[10] = s.before, x[11] = s.slope;
  return OK;
}

static OENTRY localops[] = {{"ladder_c", sizeof(LADDER), 0, 3, "a", "akko", (SUBR)ladder_init,
                             (SUBR)ladder_perform, NULL}};

LINKAGE
