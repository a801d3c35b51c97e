/* aout onepole_c ain, kcutoff [, iskip]: the algorithm of Opcodes/Filters/OnePole.swift by hand in C, to show
   what the kit costs. */

#include <csdl.h>
#include <math.h>

typedef struct {
  OPDS h;
  MYFLT *out, *in, *cutoff, *skip;
  double state, pole, cutoff_hz, sample_period;
} ONEPOLE;

/* sin(pi x) of numbers from 0 to 0.5. */
static inline double half_turn_sine(double x) {
  double w = x * x, v = w * w;
  double low = (3.1415926535895973 + w * -5.167712779977311) + v * (2.550164035419306 + w * -0.5992644257353745);
  double high = (0.08214473211248484 + w * -0.007363785018203857) + v * 0.00044720028347237836;
  return x * (low + (v * v) * high);
}

/* A share of the sample rate from 0 to 0.5 for any frequency. */
static inline double folded(double cycles) {
  double rest = fabs(cycles - ((cycles + 0x1.8p52) - 0x1.8p52));
  return rest < 0.5 ? rest : 0.5;
}

static int onepole_init(CSOUND *csound, ONEPOLE *p) {
  if (*p->skip == 0.0) {
    p->state = 0.0;
    p->pole = 0.0;
    p->cutoff_hz = NAN;
  }
  p->sample_period = 1.0 / csound->GetSr(csound);
  return OK;
}

static int onepole_perform(CSOUND *csound, ONEPOLE *p) {
  uint32_t offset = p->h.insdshead->ksmps_offset, early = p->h.insdshead->ksmps_no_end;
  uint32_t end = p->h.insdshead->ksmps - early;
  double state = p->state, pole;
  MYFLT *out = p->out, *in = p->in;
  if (!(fabs(state) > 1e-30 && fabs(state) < INFINITY)) state = 0.0;
  if (*p->cutoff != p->cutoff_hz) {
    double s = half_turn_sine(folded(*p->cutoff * p->sample_period));
    double root = sqrt(1.0 + s * s) - s;
    p->cutoff_hz = *p->cutoff;
    p->pole = root * root;
  }
  pole = p->pole;
  double weight = 1.0 - pole, poles = pole * pole;
  uint32_t n = offset;
  for (uint32_t m = 0; m < offset; m++) out[m] = 0.0;
  for (; n + 2 <= end; n += 2) {
    double first = weight * in[n], second = weight * in[n + 1] + pole * first;
    out[n] = first + pole * state;
    out[n + 1] = state = second + poles * state;
  }
  for (; n < end; n++) out[n] = state = (1.0 - pole) * in[n] + pole * state;
  for (uint32_t n = end; n < end + early; n++) out[n] = 0.0;
  p->state = state;
  return OK;
}

static OENTRY localops[] = {{"onepole_c", sizeof(ONEPOLE), 0, 3, "a", "ako", (SUBR)onepole_init,
                             (SUBR)onepole_perform, NULL}};

LINKAGE
