// Opcodes of Csound 7 with aligned memory, aout OP ilength: a good one, one that goes on in what a reinit
// gave back, and one that writes behind it.

#include <csound/csdl.h>
#include <string.h>

enum opcode { ALIGNED, ALIGNED_STALE, ALIGNED_OVERRUN };

typedef struct {
  OPDS h;
  MYFLT *out, *length;
  AUXCH line;
  double *own; // what the line is taken to be
  int frames;
} LINE;

static int32_t line_init(CSOUND *csound, LINE *p, enum opcode opcode) {
  p->frames = *p->length > 1 ? 256 : 64;
  size_t bytes = p->frames * sizeof(double);
  if (p->line.auxp == NULL || p->line.size < bytes)
    csound->AuxAllocAligned(csound, bytes, 16, &p->line);
  if (opcode != ALIGNED_STALE || !p->h.insdshead->reinitflag) p->own = p->line.auxp;
  return OK;
}

static int32_t line_perform(CSOUND *csound, LINE *p, enum opcode opcode) {
  memset(p->out, 0, p->h.insdshead->ksmps * sizeof(MYFLT));
  p->own[opcode == ALIGNED_OVERRUN ? p->frames : 0] = 1;
  return OK;
}

#define DEFINE(opcode)                                                                             \
  static int32_t init_##opcode(CSOUND *csound, void *p) { return line_init(csound, p, opcode); }   \
  static int32_t perform_##opcode(CSOUND *csound, void *p) {                                       \
    return line_perform(csound, p, opcode);                                                        \
  }

#define ENTRY(opcode)                                                                              \
  {.opname = #opcode, .dsblksiz = sizeof(LINE), .outypes = "a", .intypes = "i",                    \
   .init = (SUBR)init_##opcode, .perf = (SUBR)perform_##opcode},

DEFINE(ALIGNED)
DEFINE(ALIGNED_STALE)
DEFINE(ALIGNED_OVERRUN)

static OENTRY localops[] = {ENTRY(ALIGNED) ENTRY(ALIGNED_STALE) ENTRY(ALIGNED_OVERRUN)};

LINKAGE
