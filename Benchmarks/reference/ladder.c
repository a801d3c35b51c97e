/* aout ladder_c ain, kcutoff, kresonance [, iskip]: the algorithm of Opcodes/Filters/MoogLadder.swift by hand
   in C, to show what the kit costs. What the numbers mean is said there. */

#include <csdl.h>
#include <math.h>

typedef double pair __attribute__((ext_vector_type(2)));
typedef long long bits __attribute__((ext_vector_type(2)));

#define INLINE static inline __attribute__((always_inline))


typedef struct { double gain, feedback, a, b, c; int is_gentle; } tuning;

typedef struct {
  pair t01;
  double t2, d3, lean, slope;
  pair end;
} ladder;

typedef struct {
  OPDS h;
  MYFLT *out, *in, *cutoff, *resonance, *skip;
  double to_voltage, from_voltage, sample_rate;
  double state[8];
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

INLINE pair normalized(pair p) {
  pair bottoms = seconds(p, p);
  return p * (pair)(0x7FE0000000000000LL - ((bits)bottoms & 0x7FF0000000000000LL));
}

INLINE tuning tune(double cutoff, double resonance, double sample_rate) {
  tuning t;
  double positive = cutoff > 0 ? cutoff / sample_rate : 0;
  double f = positive < 0.75 ? positive : 0.75;
  double correction = ((1.8730 * f + 0.4955) * f - 0.6490) * f + 0.9988;
  pair half = tanh_fraction(both(0.5 * M_PI * f * correction), both(1));
  double g = 2 * half[0] / (half[1] + half[0]), square = g * g;
  t.gain = g;
  t.feedback = 4 * (resonance > 0 ? resonance : 0) * ((-3.9364 * f + 1.8409) * f + 0.9968);
  t.is_gentle = g < 0.32;
  t.a = square * (t.is_gentle ? 1 / 15.060939632630948 : 1 / 10.592067754257327);
  t.b = square * (t.is_gentle ? 1 / 2.501704706107888 : 1 / 2.469880565413837);
  t.c = t.is_gentle ? 0 : square * (1 / 43.73620405803559);
  return t;
}

INLINE pair rest(pair t, const tuning *k, int gentle) {
  pair z = t * t;
  pair even = 1 + k->b * z;
  pair odd = k->gain + k->gain * k->a * z;
  if (!gentle) even = even * (1 + k->c * z);
  return t * (even - odd) / (even - z * odd);
}

INLINE pair advance(pair tangent, pair u, const tuning *k, int gentle) {
  pair steep = __builtin_shufflevector(tangent, tangent, 1, 0) * k->gain;
  pair top = firsts(u, u), bottom = seconds(u, u);
  pair z = top * top, w = bottom * bottom;
  if (gentle)
    return w * (tangent * bottom + steep * top) +
           z * ((tangent * k->b) * bottom + (steep * k->a) * top);
  pair line = top * (bottom * steep);
  return (w + k->b * z) * (tangent * w + (tangent * k->c) * z) + line * (w + k->a * z);
}

INLINE void half_step(ladder *s, double input, const tuning *k, int gentle) {
  pair one = both(1);
  pair early = both(input - k->feedback * s->lean), late = both(k->feedback * s->slope);
  pair bottoms = seconds(s->end, s->end);
  pair tops = early * bottoms - late * firsts(s->end, s->end);
  pair s01 = rest(s->t01, k, gentle), s2 = rest(both(s->t2), k, gentle);
  pair drive, first, second, third;
  if (__builtin_expect(fabs(tops[0]) > 10 * bottoms[0], 0)) {
    tops = both(tops[0] > 0 ? 10 : -10);
    bottoms = one;
  }
  drive = tanh_fraction(tops, bottoms);
  first = advance(firsts(s01, one), drive, k, gentle);
  first = gentle ? normalized(first) : (pair){value(first), 1};
  second = advance(seconds(s01, one), first, k, gentle);
  third = tanh_fraction(both(s->d3), one);
  s->end = advance(firsts(s2, one), second, k, gentle);
  s->t01 = firsts(first, second) / seconds(first, second);
  s->t2 = value(s->end);
  s->slope = 0.5 * k->gain;
  s->lean = s->d3 - s->slope * value(third);
  s->d3 += k->gain * (s->t2 - value(third));
}

static int ladder_init(CSOUND *csound, LADDER *p) {
  if (*p->skip == 0.0) {
    p->from_voltage = 1.22070315 * csound->Get0dBFS(csound);
    p->to_voltage = 1 / p->from_voltage;
    p->sample_rate = csound->GetSr(csound);
    memset(p->state, 0, sizeof p->state);
    p->state[7] = 1;
  }
  return OK;
}

static int ladder_perform(CSOUND *csound, LADDER *p) {
  uint32_t offset = p->h.insdshead->ksmps_offset, early = p->h.insdshead->ksmps_no_end;
  uint32_t end = p->h.insdshead->ksmps - early;
  double *x = p->state;
  ladder s = {{x[0], x[1]}, x[2], x[3], x[4], x[5], {x[6], x[7]}};
  tuning k = tune(*p->cutoff, *p->resonance, p->sample_rate);
  MYFLT *out = p->out, *in = p->in;
  double to_voltage = p->to_voltage, from_voltage = p->from_voltage, level;
  for (uint32_t n = 0; n < offset; n++) out[n] = 0.0;
  for (uint32_t n = offset; n < end; n++) {
    double input = in[n] * to_voltage;
    if (fabs(input) < 1e-30) input = 0;
    if (k.is_gentle) {
      half_step(&s, input, &k, 1);
      half_step(&s, input, &k, 1);
    } else {
      half_step(&s, input, &k, 0);
      half_step(&s, input, &k, 0);
    }
    out[n] = (s.lean + s.slope * s.t2) * from_voltage;
  }
  for (uint32_t n = end; n < end + early; n++) out[n] = 0.0;
  level = (fabs(s.t01[0]) + fabs(s.t01[1])) + (fabs(s.t2) + fabs(s.d3));
  if (!(level >= 1e-30 && level < INFINITY)) s = (ladder){.end = {0, 1}};
  x[0] = s.t01[0], x[1] = s.t01[1], x[2] = s.t2, x[3] = s.d3;
  x[4] = s.lean, x[5] = s.slope, x[6] = s.end[0], x[7] = s.end[1];
  return OK;
}

static OENTRY localops[] = {{"ladder_c", sizeof(LADDER), 0, 3, "a", "akko", (SUBR)ladder_init,
                             (SUBR)ladder_perform, NULL}};

LINKAGE
