// Code for hosts and tools of Csound 6 only; Host7.h has the same names. Part of Host.h.

#define CCS_PLUGINS_VARIABLE "OPCODE6DIR64"
#define CCS_OPTIONS_VARIABLE "CSOUND6RC"
// Whether Csound needs plugins for many of its own opcodes.
static inline _Bool ccs_is_made_of_plugins(void) { return 0; }

// ---- Engines

static inline CSOUND *ccs_create(void *data) { return csoundCreate(data); }
static inline int ccs_compile(CSOUND *csound, int count, const char **words) {
  return csoundCompileArgs(csound, count, words);
}
static inline void ccs_take_audio(CSOUND *csound) { csoundSetHostImplementedAudioIO(csound, 1, 0); }
static inline int ccs_channel_count(CSOUND *csound) { return (int)csoundGetNchnls(csound); }
static inline int ccs_input_channel_count(CSOUND *csound) { return (int)csoundGetNchnlsInput(csound); }
// Performs to the end of the score and returns 1, because only that ends the threads of -j. Returns 0 in versions where
// the last k-cycle ends them.
static inline int ccs_perform_whole(CSOUND *csound) {
  csoundPerform(csound);
  return 1;
}

// The number of performance threads, `-j`.
static inline int ccs_thread_count(CSOUND *csound) {
  OPARMS options;
  csound->GetOParms(csound, &options);
  return options.numThreads;
}

// Computes the discrete Fourier transform of `count` real samples in place; `count` is a power of two.
static inline void ccs_transform(CSOUND *csound, double *samples, int count) {
  csound->RealFFT(csound, samples, count);
}

// ---- Entries and blocks

static inline SUBR *ccs_entry_initialize(OENTRY *entry) { return &entry->iopadr; }
static inline SUBR *ccs_entry_perform(OENTRY *entry) { return &entry->kopadr; }
// The init function of an entry, or else another of its functions.
static inline SUBR ccs_entry_function(const OENTRY *entry) {
  return entry->iopadr != NULL ? entry->iopadr : entry->kopadr != NULL ? entry->kopadr : entry->aopadr;
}
// The performance function of a block.
static inline SUBR *ccs_block_perform(void *block) { return &((OPDS *)block)->opadr; }
// The deinit function of a block; NULL in versions where init passes register it instead.
static inline SUBR *ccs_block_deinit(void *block) {
  (void)block;
  return NULL;
}

typedef int (*ccs_register_deinit)(CSOUND *, void *, SUBR);
// Replaces the engine's function with which init passes register a deinit pass. Returns the previous function; NULL
// when it was the same one, or when this version has no such function.
static inline ccs_register_deinit ccs_replace_deinit(CSOUND *csound, ccs_register_deinit other) {
  ccs_register_deinit own = csound->RegisterDeinitCallback;
  if (own == other) return NULL;
  csound->RegisterDeinitCallback = other;
  return own;
}

// The table with a number, loaded if its loading was deferred; NULL, without an error, when there is none.
static inline FUNC *ccs_table_numbered(CSOUND *csound, int number) {
  MYFLT argument = number;
  return csound->FTnp2Find(csound, &argument);
}

// ---- Registering

// The number of bits in which Csound stores a block's size, and what happens with a block above the largest size.
enum { ccs_block_size_bits = 16 };
#define CCS_BLOCK_FAULT "from 65531 up Csound does not learn the name"
// Whether an entry states which of its functions Csound calls.
static inline int ccs_entries_have_threads(void) { return 1; }

typedef int (*ccs_append_function)(CSOUND *, const char *, int, int, int, const char *, const char *, SUBR,
                                   SUBR, SUBR);
#define CCS_COUNT int
typedef int (*ccs_append_list_function)(CSOUND *, const OENTRY *, CCS_COUNT);

static inline int ccs_append_empty(CSOUND *csound, const char *name, const char *outputs,
                                   const char *inputs) {
  return csound->AppendOpcode(csound, name, sizeof(OPDS), 0, 3, outputs, inputs, NULL, NULL, NULL);
}

// With `is_exact`, the entry with exactly these types; otherwise the entry that accepts a call with them. NULL when
// there is none. Pass NULL for a side without arguments.
static inline const OENTRY *ccs_find_opcode(CSOUND *csound, int is_exact, char *name, char *outputs,
                                            char *inputs) {
  return is_exact ? csound->find_opcode_exact(csound, name, outputs, inputs)
                  : csound->find_opcode_new(csound, name, outputs, inputs);
}

static inline struct ccs_registration ccs_registration_of(const OENTRY *entry) {
  struct ccs_registration registration = {
      entry->opname, entry->dsblksiz, entry->flags, entry->thread, entry->outypes, entry->intypes,
      entry->iopadr, entry->kopadr, entry->aopadr, NULL};
  return registration;
}

// Calls `append`, a function with the signature of AppendOpcode.
static inline int ccs_pass_on(CSOUND *csound, ccs_append_function append,
                              const struct ccs_registration *seen) {
  return append(csound, seen->name, (int)seen->block_bytes, seen->flags, seen->thread, seen->outputs,
                seen->inputs, seen->initialize, seen->perform, seen->audio);
}

static inline int ccs_see_append(CSOUND *csound, const struct ccs_registration *seen,
                                 enum ccs_registration_way way);

static inline int ccs_seen_member(CSOUND *csound, const char *name, int bytes, int flags, int thread,
                                  const char *outputs, const char *inputs, SUBR initialize, SUBR perform,
                                  SUBR audio) {
  struct ccs_registration seen = {name,   bytes,      flags,   thread, outputs,
                                  inputs, initialize, perform, audio,  NULL};
  return ccs_see_append(csound, &seen, ccs_by_member);
}
static inline int ccs_seen_export(CSOUND *csound, const char *name, int bytes, int flags, int thread,
                                  const char *outputs, const char *inputs, SUBR initialize, SUBR perform,
                                  SUBR audio) {
  struct ccs_registration seen = {name,   bytes,      flags,   thread, outputs,
                                  inputs, initialize, perform, audio,  NULL};
  return ccs_see_append(csound, &seen, ccs_by_export);
}
