/* aout c_math ain, ifunction: Functions.swift with the functions of C's library. */

#include <csdl.h>
#include <math.h>

typedef struct {
  OPDS h;
  MYFLT *out, *in, *function;
} FUNCTION;

static int function_init(CSOUND *csound, FUNCTION *p) {
  (void)csound, (void)p;
  return OK;
}

#define EACH(f)                                            \
  for (uint32_t n = offset; n < end; n++) {                \
    double x = fabs(in[n]) + 0.001;                        \
    out[n] = f;                                            \
  }                                                        \
  break;

static int function_audio(CSOUND *csound, FUNCTION *p) {
  uint32_t offset = p->h.insdshead->ksmps_offset, early = p->h.insdshead->ksmps_no_end;
  uint32_t end = p->h.insdshead->ksmps - early;
  MYFLT *out = p->out, *in = p->in;
  (void)csound;
  for (uint32_t n = 0; n < offset; n++) out[n] = 0.0;
  switch ((int)*p->function) {
    case 0: EACH(exp(x))
    case 1: EACH(expm1(x))
    case 2: EACH(log(x))
    case 3: EACH(log2(x))
    case 4: EACH(tanh(x))
    case 5: EACH(sin(6.283185307179586 * x))
    default: EACH(sqrt(x))
  }
  for (uint32_t n = end; n < end + early; n++) out[n] = 0.0;
  return OK;
}

static OENTRY localops[] = {
    {"c_math", sizeof(FUNCTION), 0, 3, "a", "ai", (SUBR)function_init, (SUBR)function_audio, NULL},
};

LINKAGE
