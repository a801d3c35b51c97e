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

// Whether the host itself must call functions before each k-cycle, so that `ccs_perform_cycle` is needed instead of
// `csoundPerformKsmps`.
static inline _Bool ccs_needs_calls(CSOUND *csound) {
  (void)csound;
  return 0;
}
// Performs one k-cycle. Returns 0, or another number at the end.
static inline int ccs_perform_cycle(CSOUND *csound) { return csoundPerformKsmps(csound); }

// The number of performance threads, `-j`.
static inline int ccs_thread_count(CSOUND *csound) {
  OPARMS options;
  csound->GetOParms(csound, &options);
  return options.numThreads;
}

// Turns off `--realtime`. Returns whether it was on. To be called before the start.
static inline int ccs_leave_realtime_mode(CSOUND *csound) {
  CSOUND_PARAMS parameters;
  csoundGetParams(csound, &parameters);
  if (parameters.realtime_mode == 0) return 0;
  parameters.realtime_mode = 0;
  csoundSetParams(csound, &parameters);
  return 1;
}

// Whether the CSD or an option has asked for --sample-accurate. To be called before the start.
static inline int ccs_is_sample_accurate(CSOUND *csound) {
  CSOUND_PARAMS parameters;
  csoundGetParams(csound, &parameters);
  return parameters.sample_accurate != 0;
}
#define CCS_REALTIME_FAULT "in which Csound 6.18 crashes or ends at once"

// Computes the discrete Fourier transform of `count` real samples in place; `count` is a power of two.
static inline void ccs_transform(CSOUND *csound, double *samples, int count) {
  csound->RealFFT(csound, samples, count);
}

// ---- Playing live

// The host takes the output from spout and gives the input in `ccs_live_input`, one k-cycle at a time. To be called
// when the engine is new, and before it compiles.
static inline void ccs_take_live_audio(CSOUND *csound) { csoundSetHostImplementedAudioIO(csound, 1, 1); }
// Csound fills spin from its input buffer.
static inline MYFLT *ccs_live_input(CSOUND *csound) { return csoundGetInputBuffer(csound); }
static inline void ccs_take_midi(CSOUND *csound) { csoundSetHostImplementedMIDIIO(csound, 1); }
// Performs one k-cycle. Returns 0, or another number at the end. Not `csoundPerformKsmps`: if an orchestra ends itself,
// that jumps into a stack frame that no longer exists.
static inline int ccs_perform_live(CSOUND *csound) { return csoundPerformBuffer(csound); }

// Calls a function before each k-cycle, on the thread that performs, until the next reset.
static inline void ccs_before_cycles(CSOUND *csound, void (*call)(CSOUND *, void *), void *data) {
  csoundRegisterSenseEventCallback(csound, call, data);
}

// Plays a score event at once: its letter and its p-fields from p1 on.
static inline void ccs_play_event(CSOUND *csound, int letter, const MYFLT *fields, ptrdiff_t count) {
  csoundScoreEvent(csound, (char)letter, fields, (long)count);
}
// A line of the score ends with "\n": Csound keeps one that does not, and writes behind its buffer after many of them.
static inline void ccs_play_line(CSOUND *csound, const char *line) { csoundInputMessage(csound, line); }
// Ends all notes of an instrument, by its name or else its number; those that have a release, with it.
static inline void ccs_end_notes(CSOUND *csound, MYFLT instrument, char *name) {
  csoundKillInstance(csound, instrument, name, 0, 1);
}
// Returns 0 if the code can be compiled.
static inline int ccs_compile_orchestra(CSOUND *csound, const char *orchestra) {
  return csoundCompileOrc(csound, orchestra);
}

// ---- Channels and tables

// Finds or makes a channel. Returns 0; or its type, if that is another than asked for.
static inline int ccs_channel(CSOUND *csound, MYFLT **place, const char *name, int type) {
  return csoundGetChannelPtr(csound, place, name, type);
}
// Locks a string channel that exists.
static inline void ccs_lock_channel(CSOUND *csound, const char *name) {
  int *lock = csoundGetChannelLock(csound, name);
  if (lock != NULL) csoundSpinLock(lock);
}
static inline void ccs_unlock_channel(CSOUND *csound, const char *name) {
  int *lock = csoundGetChannelLock(csound, name);
  if (lock != NULL) csoundSpinUnLock(lock);
}
static inline void ccs_set_table_element(CSOUND *csound, int table, int index, double value) {
  csoundTableSet(csound, table, index, value);
}

// ---- Entries and blocks

static inline SUBR *ccs_entry_initialize(OENTRY *entry) { return &entry->iopadr; }
static inline SUBR *ccs_entry_perform(OENTRY *entry) { return &entry->kopadr; }
// Whether Csound calls the init function: a thread of 2 leaves it out.
static inline int ccs_entry_calls_init(const OENTRY *entry) {
  return entry->iopadr != NULL && (entry->thread & 3) != 2;
}
// The init function of an entry, or else another of its functions.
static inline SUBR ccs_entry_function(const OENTRY *entry) {
  return entry->iopadr != NULL ? entry->iopadr : entry->kopadr != NULL ? entry->kopadr : entry->aopadr;
}
// The init function of a block.
static inline SUBR *ccs_block_initialize(void *block) { return &((OPDS *)block)->iopadr; }
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

// Registers the overload of an entry under a further name.
static inline void ccs_append_alias(CSOUND *csound, const char *name, const OENTRY *entry) {
  struct ccs_registration registration = ccs_registration_of(entry);
  registration.name = name;
  ccs_pass_on(csound, csound->AppendOpcode, &registration);
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

// ---- Reading an orchestra

// A node of the tree that Csound's parser makes of an orchestra: a statement, an operand or a label.
struct ccs_node {
  const char *text;
  int line, is_user_opcode;
  // The entry that a statement calls, or NULL.
  const OENTRY *entry;
};
// Called for each node before its children, with its depth; `side` is 0 for children on the left and 1 on the right.
typedef void (*ccs_see_node)(void *data, int depth, int side, const struct ccs_node *);

// The parser's numbers for the nodes of Csound 6.18 that have an entry, and for a user-defined opcode.
enum { ccs_opcode_node = 277, ccs_opcode_without_outputs_node = 275, ccs_user_opcode_node = 279 };

static inline void ccs_see_nodes(void *data, int depth, int side, TREE *node, ccs_see_node see) {
  for (; node != NULL; node = node->next) {
    int has_entry = node->type == ccs_opcode_node || node->type == ccs_opcode_without_outputs_node ||
                    node->type == '=';
    struct ccs_node seen = {node->value != NULL ? node->value->lexeme : NULL, node->line,
                            node->type == ccs_user_opcode_node,
                            has_entry ? (const OENTRY *)node->markup : NULL};
    see(data, depth, side, &seen);
    ccs_see_nodes(data, depth + 1, 0, node->left, see);
    ccs_see_nodes(data, depth + 1, 1, node->right, see);
  }
}

// Parses an orchestra and visits its nodes. Returns 0; 1 when Csound cannot parse it; -1 when this Csound cannot be asked.
static inline int ccs_parse_orchestra(CSOUND *csound, const char *orchestra, void *data, ccs_see_node see) {
  TREE *tree = csoundParseOrc(csound, orchestra);
  if (tree == NULL) return 1;
  ccs_see_nodes(data, 0, 0, tree, see);
  return 0;
}
