// An engine for unit tests that call one opcode without Csound: rates, memory for buffers, messages. Whatever else the
// opcode asks of it is not there, which is remembered.
#ifndef OPCODEKIT_STANDIN_H
#define OPCODEKIT_STANDIN_H

#include "CCsound.h"

#include <stdarg.h>
#include <stdlib.h>

struct ccs_stand_in {
  CSOUND engine;  // The first member, so that the engine's functions find the others.
  INSDS note;
  INSTRTXT instrument;
  OENTRY entry;
  OPTXT text;
  MYFLT sample_rate;
};

static inline MYFLT ccs_stand_in_sample_rate(CSOUND *csound) {
  return ((struct ccs_stand_in *)csound)->sample_rate;
}
static inline MYFLT ccs_stand_in_control_rate(CSOUND *csound) {
  return ((struct ccs_stand_in *)csound)->note.ekr;
}
static inline uint32_t ccs_stand_in_ksmps(CSOUND *csound) {
  return ((struct ccs_stand_in *)csound)->note.ksmps;
}
static inline uint64_t ccs_stand_in_cycle(CSOUND *csound) {
  return ((struct ccs_stand_in *)csound)->note.kcounter;
}
static inline char *ccs_stand_in_name(void *block) {
  return ((OPDS *)block)->optext->t.oentry->opname;
}
static inline MYFLT ccs_stand_in_full_scale(CSOUND *csound) { return (void)csound, 1; }
static inline MYFLT ccs_stand_in_a4(CSOUND *csound) { return (void)csound, 440; }

static inline void ccs_stand_in_memory(CSOUND *csound, size_t bytes, AUXCH *slot) {
  (void)csound;
  free(slot->auxp);
  slot->auxp = calloc(1, bytes);
  slot->endp = (char *)slot->auxp + bytes;
  slot->size = bytes;
}

static inline void ccs_stand_in_say(CSOUND *csound, const char *format, ...) {
  (void)csound;
  va_list values;
  va_start(values, format);
  vfprintf(stderr, format, values);
  va_end(values);
}

// Whether an opcode on this thread has asked for what is not there. Only TestCall.swift includes this variable.
static inline int *ccs_stand_in_lack(void) {
  static _Thread_local int lack;
  return &lack;
}

// In place of every other function: no table, no memory, 0.
static inline void *ccs_stand_in_lacks(void) {
  *ccs_stand_in_lack() = 1;
  return NULL;
}

// Makes an engine and writes the header of a zeroed block, that of an opcode with this name, in a note that plays.
// `name` must outlive the engine. The engine is freed with `free`.
static inline struct ccs_stand_in *ccs_begin_stand_in(void *block, const char *name, double sample_rate,
                                                      uint32_t ksmps) {
  struct ccs_stand_in *made = (struct ccs_stand_in *)calloc(1, sizeof(struct ccs_stand_in));
  void (**functions)(void) = (void (**)(void))&made->engine;
  for (size_t index = 0; index < sizeof made->engine / sizeof *functions; index++)
    functions[index] = (void (*)(void))ccs_stand_in_lacks;
  made->engine.Get0dBFS = ccs_stand_in_full_scale;
  made->engine.GetA4 = ccs_stand_in_a4;
  made->engine.AuxAlloc = ccs_stand_in_memory;
  made->engine.Message = ccs_stand_in_say;
  made->engine.Warning = ccs_stand_in_say;
#if CS_VERSION < 7
  made->engine.GetSr = ccs_stand_in_sample_rate;
  made->engine.GetKsmps = ccs_stand_in_ksmps;
  made->engine.GetKcounter = ccs_stand_in_cycle;
  made->engine.GetOpcodeName = ccs_stand_in_name;
#else
  made->engine.GetEngineSr = ccs_stand_in_sample_rate;
  made->engine.GetEngineKr = ccs_stand_in_control_rate;
  made->engine.GetEngineKcounter = ccs_stand_in_cycle;
  made->note.esr = sample_rate;
#endif
  made->sample_rate = sample_rate;
  made->note.ksmps = ksmps;
  made->note.ekr = sample_rate / ksmps;
  made->note.actflg = 1;
  made->note.instr = &made->instrument;
  made->entry.opname = (char *)name;
  made->text.t.oentry = &made->entry;
  ((OPDS *)block)->insdshead = &made->note;
  ((OPDS *)block)->optext = &made->text;
  return made;
}

#endif
