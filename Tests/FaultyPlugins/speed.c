// ONEPOLE in C, computed BEHAVIOUR times over, to have slowdowns that are known; and WHICH, which
// tells what BEHAVIOUR is. Plugins built from this file show the same global names.

#include "faults.h"

int speed_behaviour = BEHAVIOUR;
int speed_answer(void) { return speed_behaviour; }

// aout ONEPOLE ain, kcutoff [, iskip]: the recurrence of tone.

typedef struct {
  OPDS h;
  MYFLT *out, *in, *cutoff, *skip;
  double state;
} ONEPOLE;

static int onepole_init(CSOUND *csound, ONEPOLE *p) {
  if (*p->skip == 0) p->state = 0;
  return OK;
}

static int onepole_perform(CSOUND *csound, ONEPOLE *p) {
  span s = span_of(&p->h);
  double cosine = 2 - cos(2 * M_PI * *p->cutoff / SAMPLE_RATE(csound));
  double pole = cosine - sqrt(cosine * cosine - 1), state = 0;
  silence_edges(p->out, s);
  for (int again = 0; again < BEHAVIOUR; again++) {
    state = p->state;
    for (uint32_t n = s.start; n < s.end; n++)
      p->out[n] = state = (1 - pole) * p->in[n] + pole * state;
  }
  p->state = settled(state);
  return OK;
}

// kout WHICH

typedef struct {
  OPDS h;
  MYFLT *out;
} WHICH;

static int which_perform(CSOUND *csound, WHICH *p) {
  *p->out = speed_answer();
  return OK;
}

static OENTRY localops[] = {
    {"ONEPOLE", sizeof(ONEPOLE), 0, THREADS(3) "a", "ako", (SUBR)onepole_init, (SUBR)onepole_perform},
    {"WHICH", sizeof(WHICH), 0, THREADS(2) "k", "", NULL, (SUBR)which_perform},
};

LINKAGE
