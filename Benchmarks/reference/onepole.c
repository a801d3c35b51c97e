/* aout onepole_c ain, kcutoff [, iskip]: the algorithm of Opcodes/Filters/OnePole.swift by hand in C, to show
   what the kit costs. */

#include <csdl.h>
#include <math.h>

typedef struct {
  OPDS h;
  MYFLT *out, *in, *cutoff, *skip;
  double state, pole, cutoff_hz, radians_per_hz;
} ONEPOLE;

static int onepole_init(CSOUND *csound, ONEPOLE *p) {
  if (*p->skip == 0.0) {
    p->state = 0.0;
    p->pole = 0.0;
    p->cutoff_hz = NAN;
  }
  p->radians_per_hz = 2.0 * M_PI / csound->GetSr(csound);
  return OK;
}

static int onepole_perform(CSOUND *csound, ONEPOLE *p) {
  uint32_t offset = p->h.insdshead->ksmps_offset, early = p->h.insdshead->ksmps_no_end;
  uint32_t end = p->h.insdshead->ksmps - early;
  double state = p->state, pole;
  MYFLT *out = p->out, *in = p->in;
  if (*p->cutoff != p->cutoff_hz) {
    double c = 2.0 - cos(*p->cutoff * p->radians_per_hz);
    p->cutoff_hz = *p->cutoff;
    p->pole = c - sqrt(c * c - 1.0);
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
  if (!(fabs(state) > 1e-30 && fabs(state) < INFINITY)) state = 0.0;
  p->state = state;
  return OK;
}

static OENTRY localops[] = {{"onepole_c", sizeof(ONEPOLE), 0, 3, "a", "ako", (SUBR)onepole_init,
                             (SUBR)onepole_perform, NULL}};

LINKAGE
