// Code for Csound 7 only; Csound6.h has the same names. Part of CCsound.h.

#include <stddef.h>
#include <csound/arrays.h>

// All betas also call themselves 7.0 but have other structs. The release would load a plugin built for a beta, and
// crash.
#define CCS_RELEASE "these headers are not those of the release of Csound 7.0"
_Static_assert(CS_VERSION == 7, CCS_RELEASE);
#ifndef __wasm__
_Static_assert(sizeof(OPDS) == 64 && offsetof(OPDS, insdshead) == 56, CCS_RELEASE);
_Static_assert(offsetof(INSDS, ksmps) == 200 && offsetof(INSDS, p0) == 464
                   && sizeof(INSDS) == 528, CCS_RELEASE);
_Static_assert(sizeof(OENTRY) == 80 && offsetof(OENTRY, deinit) == 56, CCS_RELEASE);
_Static_assert(sizeof(ARRAYDAT) == 56 && sizeof(STRINGDAT) == 24 && sizeof(PVSDAT) == 64, CCS_RELEASE);
_Static_assert(offsetof(FUNC, ftable) == 1184 && offsetof(EVTBLK, p) == 56, CCS_RELEASE);
#else
// Pointers have four bytes. Csound calls these offsets of wasm32 frozen (Top/wasm_opcode_abi.h).
_Static_assert(sizeof(OPDS) == 32 && offsetof(OPDS, deinit) == 20 && offsetof(OPDS, insdshead) == 28, CCS_RELEASE);
_Static_assert(offsetof(INSDS, esr) == 104 && offsetof(INSDS, ksmps) == 144 && offsetof(INSDS, ekr) == 152,
               CCS_RELEASE);
_Static_assert(offsetof(INSDS, ksmps_offset) == 236 && offsetof(INSDS, ksmps_no_end) == 244, CCS_RELEASE);
_Static_assert(sizeof(OENTRY) == 40 && sizeof(CS_TYPE) == 32 && CS_VAR_TYPE_OFFSET == 8, CCS_RELEASE);
_Static_assert(offsetof(CSOUND, Calloc) == 180, CCS_RELEASE);
#endif
_Static_assert(offsetof(CSOUND, AppendOpcode) == 182 * sizeof(void *), CCS_RELEASE);

// Csound's version and the size of MYFLT.
static inline int ccs_module_info(void) { return CSOUND_MODULE_INFO; }

// The end of an error message; without it, Csound's next line would follow on the same line.
#define CCS_ERROR_END "\n"

// ---- Registering

// Csound computes the total size of an instrument's blocks in 32 bits.
static inline ptrdiff_t ccs_largest_block(void) { return 1 << 28; }

// The deinit pass of a block whose init pass has not run.
static inline int ccs_no_deinit(CSOUND *csound, void *block) {
  (void)csound, (void)block;
  return 0;
}

static inline void ccs_append(CSOUND *csound, const char *name, size_t block_bytes,
                              const char *outputs, const char *inputs, SUBR initialize, SUBR perform,
                              int has_deinit) {
  csound->AppendOpcode(csound, name, block_bytes, 0, outputs, inputs, initialize, perform,
                       has_deinit ? (SUBR)ccs_no_deinit : NULL);
}

// [init pass only] Csound calls the deinit pass stored in the block once, at the end of each note.
static inline void ccs_at_deinit(CSOUND *csound, void *block, int (*pass)(CSOUND *, void *)) {
  (void)csound;
  ((OPDS *)block)->deinit = (SUBR)pass;
}

static inline const char *ccs_opcode_name(CSOUND *csound, void *block) {
  (void)csound;
  return ((OPDS *)block)->optext->t.oentry->opname;
}

// ---- Rates and notes [any pass: no allocation, no locks]

static inline double ccs_engine_sample_rate(CSOUND *csound) { return csound->GetEngineSr(csound); }
// A user-defined opcode can have a sample rate of its own.
static inline double ccs_sample_rate(CSOUND *csound, const void *block) {
  (void)csound;
  return ((const OPDS *)block)->insdshead->esr;
}
static inline int64_t ccs_cycle(CSOUND *csound) {
  return (int64_t)csound->GetEngineKcounter(csound);
}
static inline int64_t ccs_ksmps(CSOUND *csound, const void *block) {
  return (int64_t)(ccs_sample_rate(csound, block) / csound->GetEngineKr(csound) + 0.5);
}
static inline int ccs_midi_channel(CSOUND *csound, void *block) {
  (void)csound;
  return GetMidiChannelNumber((OPDS *)block);
}

// ---- Function tables

// Also loads the table if its loading was deferred. For a number that no table has, Csound prints an error message.
#define CCS_ANY_TABLE(csound, number) (csound)->FTFind(csound, number)
// [any pass: no allocation, no locks] The length of a loaded table; 0 or less when there is none. Csound's plugin
// interface has no function for this. GetTableArgs reports, without a message, whether the table exists.
#define CCS_LOADED_TABLE ccs_loaded_table
static inline int ccs_loaded_table(CSOUND *csound, MYFLT **samples, int number) {
  MYFLT argument = number, *arguments;
  const FUNC *table =
      csound->GetTableArgs(csound, &arguments, number) >= 0 ? csound->FTFind(csound, &argument) : NULL;
  if (table == NULL) return -1;
  *samples = table->ftable;
  return (int)table->flen;
}

// The offset of Csound's list of tables is not known.
enum { ccs_tables_place = 0 };
static inline const void *ccs_table_list(const CSOUND *csound, int number, const FUNC *found) {
  (void)csound, (void)number, (void)found;
  return NULL;
}

#define CCS_TABLE_ERROR FtError

static inline double ccs_event_field(const EVTBLK *event, int field) { return event->p[field]; }

// ---- Arrays and strings [init pass only]

// Returns 0 when the array has more than one dimension.
static inline int ccs_resize_array(CSOUND *csound, void *block, ARRAYDAT *array, int count,
                                   int are_strings) {
  (void)are_strings;
  return array->dimensions <= 1 &&
         tabinit(csound, array, count, ((OPDS *)block)->insdshead) == OK;
}

// The text can be shared with other strings.
static inline void ccs_release_text(CSOUND *csound, STRINGDAT *string) {
  if (string->refcount == 0) csound->Free(csound, string->data);
  string->refcount = 0;
}
