// Opcodes as two versions of a Csound might have them, for tests of `versions`. VERSION is 1 or 2.
#if VERSION == 2
#define SECOND 1
#else
#define SECOND 0
#endif
// A header of Csound has a macro of that name, too.
#undef VERSION
#include <csdl.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct {
  OPDS h;
  MYFLT *out, *in, *gain;
  MYFLT last;
  long count;
} VERSIONED;

static int init(CSOUND *csound, VERSIONED *p) {
  (void)csound;
  p->last = 0;
  p->count = 0;
  return OK;
}

// Computes one frame.
#define PERFORM(NAME, FRAME)                                                             \
  static int NAME(CSOUND *csound, VERSIONED *p) {                                        \
    const uint32_t offset = p->h.insdshead->ksmps_offset;                                \
    const uint32_t end = p->h.insdshead->ksmps - p->h.insdshead->ksmps_no_end;           \
    (void)csound;                                                                        \
    for (uint32_t n = 0; n < p->h.insdshead->ksmps; n++) {                               \
      if (n < offset || n >= end) p->out[n] = 0;                                         \
      else { const MYFLT x = p->in[n]; p->out[n] = (FRAME); p->count++; }                \
    }                                                                                    \
    return OK;                                                                           \
  }

PERFORM(same, x * *p->gain)
PERFORM(rounded, x * *p->gain * (SECOND ? 1 + 1e-13 : 1))
PERFORM(residue, SECOND ? x * 1e-17 : 0)
PERFORM(silent, x * 0)
PERFORM(louder, x * *p->gain * (SECOND ? 2 : 1))
PERFORM(gainBroken, SECOND && p->count > 1000 ? NAN : x)
PERFORM(gainMended, !SECOND && p->count > 1000 ? NAN : x)
PERFORM(chance, x * 0 + rand() / (MYFLT)RAND_MAX)
PERFORM(counted, x * (p->count % 100) * 0.01)
PERFORM(crash, SECOND ? *(volatile MYFLT *)8 : x)
PERFORM(smoothed, p->last += 0.01 * (x - p->last))

// Its second version does not clear its state.
static int initKept(CSOUND *csound, VERSIONED *p) { return SECOND ? OK : init(csound, p); }

static int initRefused(CSOUND *csound, VERSIONED *p) {
  if (SECOND) return csound->InitError(csound, "%s", "a gain of 0.5 is not allowed");
  return init(csound, p);
}

// Its second version counts the frames of the first block that are before the note, too.
static int late(CSOUND *csound, VERSIONED *p) {
  if (SECOND && p->count == 0) p->count = p->h.insdshead->ksmps_offset;
  return counted(csound, p);
}

// Random, and never the same twice.
static int initChance(CSOUND *csound, VERSIONED *p) {
  srand(getpid());
  return init(csound, p);
}

#define ENTRY(NAME, INIT, PERFORM) \
  { (char *)NAME, sizeof(VERSIONED), 0, 3, (char *)"a", (char *)"ak", (SUBR)INIT, (SUBR)PERFORM, NULL }

static OENTRY localops[] = {
  ENTRY("versame", init, same),         ENTRY("verrounded", init, rounded),
  ENTRY("verlouder", init, louder),     ENTRY("verbroken", init, gainBroken),
  ENTRY("vermended", init, gainMended), ENTRY("verchance", initChance, chance),
  ENTRY("vercrash", init, crash),       ENTRY("verkept", initKept, smoothed),
  ENTRY("verresidue", init, residue),   ENTRY("versilent", init, silent),
  ENTRY("verrefused", initRefused, same), ENTRY("verlate", init, late),
#if !SECOND
  ENTRY("vergone", init, same),
#else
  ENTRY("vernew", init, same),
#endif
};

LINKAGE
