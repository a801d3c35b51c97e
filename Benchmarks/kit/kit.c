/* kout kit_copy kin, aout kit_copy ain: KitOpcodes.swift by hand in C, as C's own opcodes are written: nothing
   looks whether the init pass was skipped, and there is no state. */

#include <csdl.h>

typedef struct {
  OPDS h;
  MYFLT *out, *in;
} COPY;

static int copy_init(CSOUND *csound, COPY *p) {
  (void)csound, (void)p;
  return OK;
}

static int copy_control(CSOUND *csound, COPY *p) {
  (void)csound;
  *p->out = *p->in;
  return OK;
}

static int copy_audio(CSOUND *csound, COPY *p) {
  uint32_t offset = p->h.insdshead->ksmps_offset, early = p->h.insdshead->ksmps_no_end;
  uint32_t end = p->h.insdshead->ksmps - early;
  MYFLT *out = p->out, *in = p->in;
  (void)csound;
  for (uint32_t n = 0; n < offset; n++) out[n] = 0.0;
  for (uint32_t n = offset; n < end; n++) out[n] = in[n];
  for (uint32_t n = end; n < end + early; n++) out[n] = 0.0;
  return OK;
}

static OENTRY localops[] = {
    {"kit_copy.k", sizeof(COPY), 0, 3, "k", "k", (SUBR)copy_init, (SUBR)copy_control, NULL},
    {"kit_copy.a", sizeof(COPY), 0, 3, "a", "a", (SUBR)copy_init, (SUBR)copy_audio, NULL},
};

LINKAGE
