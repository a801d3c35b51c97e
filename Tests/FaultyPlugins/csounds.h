// What differs between versions of Csound, under the same names.

#pragma once

#include <csound/csdl.h>

#define INLINE static inline __attribute__((always_inline))

#if CS_VERSION < 7

#define THREADS(init_and_performance) init_and_performance,
#define SAMPLE_RATE(csound) (csound)->GetSr(csound)
#define LOCAL_RATE(csound, block) SAMPLE_RATE(csound)
#define CONTROL_RATE(csound) (csound)->GetKr(csound)
#define KSMPS(csound) (csound)->GetKsmps(csound)
#define CYCLE(csound) (csound)->GetKcounter(csound)
#define INPUT_COUNT(csound, block) (csound)->GetInputArgCnt(block)
#define AT_DEINIT(csound, block, pass) (csound)->RegisterDeinitCallback(csound, block, pass)
#define TABLE_LENGTH(csound, samples, number) (csound)->GetTable(csound, samples, number)
#define TABLE(csound, number) (csound)->FTnp2Find(csound, number)
#define ENDED(performance) performance
#define OUTPUT_COUNT(csound, block) (csound)->GetOutputArgCnt(block)
#define PLUGIN_DIRECTORY "OPCODE6DIR64"
INLINE int is_sample_accurate(CSOUND *csound) {
  OPARMS options;
  csound->GetOParms(csound, &options);
  return options.sampleAccurate;
}

#else

#define THREADS(init_and_performance)
#define SAMPLE_RATE(csound) (csound)->GetEngineSr(csound)
// That of the user-defined opcode the block is in.
#define LOCAL_RATE(csound, block) ((OPDS *)(block))->insdshead->esr
#define CONTROL_RATE(csound) (csound)->GetEngineKr(csound)
#define KSMPS(csound) (uint32_t)(SAMPLE_RATE(csound) / CONTROL_RATE(csound) + 0.5)
#define CYCLE(csound) (csound)->GetEngineKcounter(csound)
#define INPUT_COUNT(csound, block) ((OPDS *)(block))->optext->t.inArgCount
// Csound calls the pass that stands in the block, if the entry has one, too.
#define AT_DEINIT(csound, block, pass) ((OPDS *)(block))->deinit = (SUBR)(pass)
#define TABLE_LENGTH(csound, samples, number) (csound)->GetTableArgs(csound, samples, number)
#define TABLE(csound, number) (csound)->FTFind(csound, number)
static int no_deinit(CSOUND *csound, void *block) { return csound == block; }
#define ENDED(performance) performance, no_deinit
#define OUTPUT_COUNT(csound, block) ((OPDS *)(block))->optext->t.outArgCount
#define PLUGIN_DIRECTORY "OPCODE7DIR64"
INLINE int is_sample_accurate(CSOUND *csound) {
  return csound->GetOParms(csound)->sampleAccurate;
}

#endif
