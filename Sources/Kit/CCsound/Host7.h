// Code for hosts and tools of Csound 7 only; Host6.h has the same names. Part of Host.h.

#include <csound/csound_rtmidi.h>
#include <csound/csound_misc.h>

#define CCS_PLUGINS_VARIABLE "OPCODE7DIR64"
#define CCS_OPTIONS_VARIABLE "CSOUND7RC"
// Whether Csound needs plugins for many of its own opcodes.
static inline _Bool ccs_is_made_of_plugins(void) { return 1; }

// ---- Engines

static inline CSOUND *ccs_create(void *data) { return csoundCreate(data, NULL); }
static inline int ccs_compile(CSOUND *csound, int count, const char **words) {
  return csoundCompile(csound, count, words);
}
static inline void ccs_take_audio(CSOUND *csound) { csoundSetHostAudioIO(csound); }
static inline int ccs_channel_count(CSOUND *csound) { return (int)csoundGetChannels(csound, 0); }
static inline int ccs_input_channel_count(CSOUND *csound) { return (int)csoundGetChannels(csound, 1); }

// ---- k-cycles
//
// Csound 7 calls no function of a host between k-cycles, so the host calls them itself. And it prepares once, in the
// first k-cycle, for an orchestra that ends itself (`exitnow`): it then jumps into the stack frame of that k-cycle, which
// no longer exists. So during a k-cycle its function for that jump is replaced.

#ifdef __linux__
#include <pthread.h>
#include <setjmp.h>

struct ccs_cycle_call {
  void (*call)(CSOUND *, void *);
  void *data;
  struct ccs_cycle_call *next;
};

// Exists until the next reset.
struct ccs_cycles {
  struct ccs_cycle_call *first;
  // The k-cycle that is being performed, its thread, and Csound's own function.
  jmp_buf *under_way;
  pthread_t thread;
  CS_NORETURN void (*leave)(CSOUND *, int32_t);
};
#define CCS_CYCLES "OpcodeKit.cycles"

// NULL if they do not exist. [any pass: no allocation, no locks]
static inline struct ccs_cycles *ccs_cycles_of(CSOUND *csound) {
  return (struct ccs_cycles *)csound->QueryGlobalVariable(csound, CCS_CYCLES);
}
static inline void ccs_make_cycles(CSOUND *csound) {
  if (ccs_cycles_of(csound) == NULL)
    csound->CreateGlobalVariable(csound, CCS_CYCLES, sizeof(struct ccs_cycles));
}

// Calls a function before each k-cycle, on the thread that performs, until the next reset. To be called when the engine
// is new.
static inline void ccs_before_cycles(CSOUND *csound, void (*call)(CSOUND *, void *), void *data) {
  ccs_make_cycles(csound);
  struct ccs_cycle_call **last = &ccs_cycles_of(csound)->first;
  struct ccs_cycle_call *made = (struct ccs_cycle_call *)csound->Calloc(csound, sizeof *made);
  made->call = call;
  made->data = data;
  while (*last != NULL) last = &(*last)->next;
  *last = made;
}

// Whether the host itself must call functions before each k-cycle, so that `ccs_perform_cycle` is needed instead of
// `csoundPerformKsmps`.
static inline _Bool ccs_needs_calls(CSOUND *csound) {
  return ccs_cycles_of(csound) != NULL;
}

// Another thread may compile code meanwhile, for which Csound has prepared.
static CS_NORETURN __attribute__((unused)) void ccs_leave_cycle(CSOUND *csound, int32_t code) {
  struct ccs_cycles *cycles = ccs_cycles_of(csound);
  if (cycles->under_way == NULL || !pthread_equal(cycles->thread, pthread_self())) cycles->leave(csound, code);
  code = (code < 0 ? code : -code) & 0xFF;
  longjmp(*cycles->under_way, code == 0 ? CSOUND_EXITJMP_SUCCESS : code);
}

// Performs one k-cycle. Returns 0, or another number at the end.
static __attribute__((noinline, unused)) int ccs_perform_cycle(CSOUND *csound) {
  struct ccs_cycles *volatile cycles = ccs_cycles_of(csound);
  jmp_buf place;
  if (cycles == NULL) return csoundPerformKsmps(csound);
  int status = _setjmp(place);
  if (status == 0) {
    cycles->leave = csound->LongJmp;
    cycles->thread = pthread_self();
    cycles->under_way = &place;
    csound->LongJmp = ccs_leave_cycle;
    for (struct ccs_cycle_call *next = cycles->first; next != NULL; next = next->next)
      next->call(csound, next->data);
    status = csoundPerformKsmps(csound);
  } else {
    status = (status - CSOUND_EXITJMP_SUCCESS) | CSOUND_EXITJMP_SUCCESS;
  }
  csound->LongJmp = cycles->leave;
  cycles->under_way = NULL;
  return status;
}
#else
// Hosts are built for Linux only; a plugin for another system only reads this.
static inline void ccs_make_cycles(CSOUND *csound) { (void)csound; }
static inline void ccs_before_cycles(CSOUND *csound, void (*call)(CSOUND *, void *), void *data) {
  (void)csound, (void)call, (void)data;
}
static inline _Bool ccs_needs_calls(CSOUND *csound) {
  (void)csound;
  return 0;
}
static inline int ccs_perform_cycle(CSOUND *csound) { return csoundPerformKsmps(csound); }
#endif

// The number of performance threads, `-j`.
static inline int ccs_thread_count(CSOUND *csound) {
  return csound->GetOParms(csound)->numThreads;
}

// Turns off `--realtime`. Returns whether it was on. To be called before the start. Csound 7 has no function for it, so
// its own options are changed.
static inline int ccs_leave_realtime_mode(CSOUND *csound) {
  OPARMS *options = (OPARMS *)csoundGetParams(csound);
  if (options->realtime == 0) return 0;
  options->realtime = 0;
  return 1;
}

// Whether the CSD or an option has asked for --sample-accurate. To be called before the start.
static inline int ccs_is_sample_accurate(CSOUND *csound) {
  return ((const OPARMS *)csoundGetParams(csound))->sampleAccurate != 0;
}
#define CCS_REALTIME_FAULT "in which Csound 7 starts notes on a thread of its own"

// Computes the discrete Fourier transform of `count` real samples in place; `count` is a power of two.
static inline void ccs_transform(CSOUND *csound, double *samples, int count) {
  csound->RealFFT(csound, csound->RealFFTSetup(csound, count, FFT_FWD), samples);
}

// ---- Playing live

// The host takes the output from spout and gives the input in `ccs_live_input`, one k-cycle at a time. To be called
// when the engine is new, and before it compiles.
static inline void ccs_take_live_audio(CSOUND *csound) {
  csoundSetHostAudioIO(csound);
  ccs_make_cycles(csound);
}
static inline MYFLT *ccs_live_input(CSOUND *csound) { return csoundGetSpin(csound); }
static inline void ccs_take_midi(CSOUND *csound) { csoundSetHostMIDIIO(csound); }
// Performs one k-cycle. Returns 0, or another number at the end.
static inline int ccs_perform_live(CSOUND *csound) { return ccs_perform_cycle(csound); }

static inline void ccs_play_line(CSOUND *csound, const char *line) { csoundEventString(csound, line, 0); }
// Plays a score event at once: its letter and its p-fields from p1 on. Csound 7 has no number for letters other than
// `i`, `f` and `e`, so those become a line.
static inline void ccs_play_event(CSOUND *csound, int letter, const MYFLT *fields, ptrdiff_t count) {
  char line[1024];
  int type = letter == 'f' ? CS_TABLE_EVENT : letter == 'e' ? CS_END_EVENT : CS_INSTR_EVENT;
  size_t length = 1;
  if (letter == 'i' || letter == 'f' || letter == 'e') {
    csoundEvent(csound, type, fields, (int32_t)count, 0);
    return;
  }
  line[0] = (char)letter;
  line[1] = '\0';
  for (ptrdiff_t field = 0; field < count && length < sizeof line - 32; field++)
    length += (size_t)snprintf(line + length, sizeof line - length, " %.17g", fields[field]);
  ccs_play_line(csound, line);
}
// Ends all notes of an instrument, by its name or else its number; those that have a release, with it. Csound 7 has no
// function for that, so the orchestra does it.
static inline void ccs_end_notes(CSOUND *csound, MYFLT instrument, char *name) {
  char code[512];
  int length = name != NULL ? snprintf(code, sizeof code, "turnoff2i \"%s\", 0, 1\n", name)
                            : snprintf(code, sizeof code, "turnoff2i %.17g, 0, 1\n", instrument);
  if (length < (int)sizeof code) csoundCompileOrc(csound, code, 0);
}
// Returns 0 if the code can be compiled.
static inline int ccs_compile_orchestra(CSOUND *csound, const char *orchestra) {
  return csoundCompileOrc(csound, orchestra, 0);
}

// ---- Channels and tables

// Finds or makes a channel. Returns 0; or its type, if that is another than asked for.
static inline int ccs_channel(CSOUND *csound, MYFLT **place, const char *name, int type) {
  return csoundGetChannelPtr(csound, (void **)place, name, type);
}
// Locks a string channel that exists.
static inline void ccs_lock_channel(CSOUND *csound, const char *name) { csoundLockChannel(csound, name); }
static inline void ccs_unlock_channel(CSOUND *csound, const char *name) { csoundUnlockChannel(csound, name); }
static inline void ccs_set_table_element(CSOUND *csound, int table, int index, double value) {
  MYFLT *samples = NULL;
  if (csoundGetTable(csound, &samples, table) > index && index >= 0) samples[index] = value;
}

// ---- Entries and blocks

static inline SUBR *ccs_entry_initialize(OENTRY *entry) { return &entry->init; }
static inline SUBR *ccs_entry_perform(OENTRY *entry) { return &entry->perf; }
static inline int ccs_entry_calls_init(const OENTRY *entry) { return entry->init != NULL; }
// The init function of an entry, or else its performance function.
static inline SUBR ccs_entry_function(const OENTRY *entry) {
  return entry->init != NULL ? entry->init : entry->perf;
}
// The init function of a block.
static inline SUBR *ccs_block_initialize(void *block) { return &((OPDS *)block)->init; }
// The performance function of a block.
static inline SUBR *ccs_block_perform(void *block) { return &((OPDS *)block)->perf; }
// The deinit function of a block; NULL in versions where init passes register it instead.
static inline SUBR *ccs_block_deinit(void *block) { return &((OPDS *)block)->deinit; }

typedef int (*ccs_register_deinit)(CSOUND *, void *, SUBR);
// Replaces the engine's function with which init passes register a deinit pass. Returns NULL here, because Csound 7 has
// no such function.
static inline ccs_register_deinit ccs_replace_deinit(CSOUND *csound, ccs_register_deinit other) {
  (void)csound, (void)other;
  return NULL;
}

// The table with a number, loaded if its loading was deferred; NULL, without an error, when there is none.
static inline FUNC *ccs_table_numbered(CSOUND *csound, int number) {
  MYFLT argument = number, *arguments;
  return csound->GetTableArgs(csound, &arguments, number) >= 0 ? csound->FTFind(csound, &argument) : NULL;
}

// ---- Registering

// The number of bits in which Csound stores a block's size, and what happens with a block above the largest size.
enum { ccs_block_size_bits = 62 };
#define CCS_BLOCK_FAULT "Csound adds an instrument's blocks up in 32 bits"
// Whether an entry states which of its functions Csound calls.
static inline int ccs_entries_have_threads(void) { return 0; }

typedef int32_t (*ccs_append_function)(CSOUND *, const char *, size_t, int32_t, const char *, const char *,
                                       SUBR, SUBR, SUBR);
#define CCS_COUNT int32_t
typedef int32_t (*ccs_append_list_function)(CSOUND *, const OENTRY *, CCS_COUNT);

static inline int ccs_append_empty(CSOUND *csound, const char *name, const char *outputs,
                                   const char *inputs) {
  return csound->AppendOpcode(csound, name, sizeof(OPDS), 0, outputs, inputs, NULL, NULL, NULL);
}

// With `is_exact`, the entry with exactly these types; otherwise the entry that accepts a call with them. NULL when
// there is none. Pass NULL for a side without arguments.
static inline const OENTRY *ccs_find_opcode(CSOUND *csound, int is_exact, char *name, char *outputs,
                                            char *inputs) {
  return csound->FindOpcode(csound, is_exact, name, outputs, inputs);
}

// Csound calls whichever of the functions are not NULL.
static inline struct ccs_registration ccs_registration_made(const char *name, size_t bytes, int flags,
                                                            const char *outputs, const char *inputs,
                                                            SUBR initialize, SUBR perform, SUBR deinit) {
  struct ccs_registration registration = {
      name,    (ptrdiff_t)bytes, flags,      (initialize != NULL ? 1 : 0) + (perform != NULL ? 2 : 0),
      outputs, inputs,      initialize, perform,
      NULL,    deinit};
  return registration;
}

static inline struct ccs_registration ccs_registration_of(const OENTRY *entry) {
  return ccs_registration_made(entry->opname, entry->dsblksiz, entry->flags, entry->outypes, entry->intypes,
                               entry->init, entry->perf, entry->deinit);
}

// Calls `append`, a function with the signature of AppendOpcode.
static inline int ccs_pass_on(CSOUND *csound, ccs_append_function append,
                              const struct ccs_registration *seen) {
  return append(csound, seen->name, (size_t)seen->block_bytes, seen->flags, seen->outputs, seen->inputs,
                seen->initialize, seen->perform, seen->deinit);
}

// Registers the overload of an entry under a further name.
static inline void ccs_append_alias(CSOUND *csound, const char *name, const OENTRY *entry) {
  struct ccs_registration registration = ccs_registration_of(entry);
  registration.name = name;
  ccs_pass_on(csound, csound->AppendOpcode, &registration);
}

static inline int ccs_see_append(CSOUND *csound, const struct ccs_registration *seen,
                                 enum ccs_registration_way way);

static inline int32_t ccs_seen_member(CSOUND *csound, const char *name, size_t bytes, int32_t flags,
                                      const char *outputs, const char *inputs, SUBR initialize,
                                      SUBR perform, SUBR deinit) {
  struct ccs_registration seen =
      ccs_registration_made(name, bytes, flags, outputs, inputs, initialize, perform, deinit);
  return ccs_see_append(csound, &seen, ccs_by_member);
}
static inline int32_t ccs_seen_export(CSOUND *csound, const char *name, size_t bytes, int32_t flags,
                                      const char *outputs, const char *inputs, SUBR initialize,
                                      SUBR perform, SUBR deinit) {
  struct ccs_registration seen =
      ccs_registration_made(name, bytes, flags, outputs, inputs, initialize, perform, deinit);
  return ccs_see_append(csound, &seen, ccs_by_export);
}

// ---- Reading an orchestra: Csound 7 keeps conditions and loops whole, so its tree would be another; Host6.h says more.

struct ccs_node {
  const char *text;
  int line, is_user_opcode;
  const OENTRY *entry;
};
typedef void (*ccs_see_node)(void *data, int depth, int side, const struct ccs_node *);
static inline int ccs_parse_orchestra(CSOUND *csound, const char *orchestra, void *data, ccs_see_node see) {
  (void)csound, (void)orchestra, (void)data, (void)see;
  return -1;
}
