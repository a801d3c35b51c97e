// Code for Csound 6 only; Csound7.h has the same names. Part of CCsound.h.

_Static_assert(CS_VERSION == 6 && CS_SUBVER == 18, "OpcodeKit is written against Csound 6.18");
_Static_assert(sizeof(OPDS) == 48, "an opcode's block must begin with a 48-byte OPDS");

// API version and the size of MYFLT.
static inline int ccs_module_info(void) {
  return (CS_APIVERSION << 16) + (CS_APISUBVER << 8) + (int)sizeof(MYFLT);
}

// The end of an error message; Csound itself adds a line end.
#define CCS_ERROR_END ""

// ---- Registering

// `dsblksiz` is 16 bits wide, and from 65,531 on Csound's parser does not find the opcode.
static inline ptrdiff_t ccs_largest_block(void) { return 65530; }

// Csound calls the `k` slot for performance at every rate; the `a` slot is never called.
static inline void ccs_append(CSOUND *csound, const char *name, size_t block_bytes,
                              const char *outputs, const char *inputs, SUBR initialize, SUBR perform,
                              int has_deinit) {
  (void)has_deinit;
  csound->AppendOpcode(csound, name, (int)block_bytes, 0, perform == NULL ? 1 : 3, outputs, inputs,
                       initialize, perform, NULL);
}

// [init pass only] Call once for each deinit pass that Csound is to run.
static inline void ccs_at_deinit(CSOUND *csound, void *block, int (*pass)(CSOUND *, void *)) {
  csound->RegisterDeinitCallback(csound, block, pass);
}

static inline const char *ccs_opcode_name(CSOUND *csound, void *block) {
  return csound->GetOpcodeName(block);
}

// ---- Rates and notes [any pass: no allocation, no locks]

CCS_SAME static inline double ccs_engine_sample_rate(CSOUND *csound) { return csound->GetSr(csound); }
CCS_SAME static inline double ccs_sample_rate(CSOUND *csound, const void *block) {
  (void)block;
  return csound->GetSr(csound);
}
static inline int64_t ccs_cycle(CSOUND *csound) { return (int64_t)csound->GetKcounter(csound); }
static inline int64_t ccs_ksmps(CSOUND *csound, const void *block) {
  (void)block;
  return (int64_t)csound->GetKsmps(csound);
}
static inline int ccs_midi_channel(CSOUND *csound, void *block) {
  return csound->GetMidiChannelNumber(block);
}

// ---- Function tables

// Also loads the table if its loading was deferred.
#define CCS_ANY_TABLE(csound, number) (csound)->FTnp2Find(csound, number)
// [any pass: no allocation, no locks] The length of a loaded table; 0 or less when there is none.
#define CCS_LOADED_TABLE(csound, samples, number) (csound)->GetTable(csound, samples, number)

// Offset in CSOUND of the list of tables by number; 0 when it is not known.
enum {
#if defined(__x86_64__)
  ccs_tables_place = 0x5718
#elif defined(__aarch64__)
  ccs_tables_place = 0x5788
#else
  ccs_tables_place = 0
#endif
};

#define CCS_TABLE_ERROR ftError

// [init pass] Makes a table of an event `f`, as the opcode `ftgen` does.
#define CCS_MAKE_TABLE(csound, table, event) (csound)->hfgens(csound, table, event, 1)
static inline MYFLT *ccs_event_fields(EVTBLK *event) { return event->p; }

// Parameters beyond PMAX are stored separately.
static inline double ccs_event_field(const EVTBLK *event, int field) {
  if (field <= PMAX) return event->p[field];
  return event->c.extra != NULL ? event->c.extra[field - PMAX] : 0;
}

// ---- Arrays and strings [init pass only]

// Returns 0 when the array has more than one dimension.
static inline int ccs_resize_array(CSOUND *csound, void *block, ARRAYDAT *array, int count,
                                   int are_strings) {
  size_t bytes, old_bytes;
  (void)block;
  if (array->dimensions > 1) return 0;
  if (array->sizes == NULL) {
    array->sizes = (int32_t *)csound->Calloc(csound, sizeof(int32_t));
    array->dimensions = 1;
  }
  if (array->arrayMemberSize == 0) {
    CS_VARIABLE *variable = array->arrayType->createVariable(csound, NULL);
    array->arrayMemberSize = variable->memBlockSize;
    csound->Free(csound, variable);
  }
  // Csound's own copy of an array does not set how much is allocated.
  old_bytes = array->data == NULL ? 0 : (size_t)array->arrayMemberSize * (size_t)array->sizes[0];
  if (are_strings) {
    STRINGDAT *strings = (STRINGDAT *)array->data;
    for (int index = count; strings != NULL && index < array->sizes[0]; index++) {
      csound->Free(csound, strings[index].data);
      strings[index].data = NULL;
    }
  }
  bytes = (size_t)array->arrayMemberSize * (size_t)count;
  if (array->data == NULL || bytes > old_bytes) {
    size_t wanted = bytes > 0 ? bytes : (size_t)array->arrayMemberSize;
    array->data = array->data == NULL ? (MYFLT *)csound->Calloc(csound, wanted)
                                      : (MYFLT *)csound->ReAlloc(csound, array->data, wanted);
    memset((char *)array->data + old_bytes, 0, wanted - old_bytes);
    array->allocated = wanted;
  }
  array->sizes[0] = count;
  if (are_strings) {
    STRINGDAT *strings = (STRINGDAT *)array->data;
    for (int index = 0; index < count; index++) {
      if (strings[index].data != NULL) continue;
      strings[index].data = (char *)csound->Calloc(csound, 8);
      strings[index].size = 8;
    }
  }
  return 1;
}

static inline void ccs_release_text(CSOUND *csound, STRINGDAT *string) {
  csound->Free(csound, string->data);
}

// ---- Structs, which Csound 6 has not

typedef struct {
  CS_VAR_MEM **members;
  int32_t memberCount;
} ccs_struct;

static inline int ccs_has_structs(void) { return 0; }
static inline int ccs_register_struct(CSOUND *csound, const char *declaration) {
  (void)csound, (void)declaration;
  return 0;
}
static inline int ccs_is_struct(const CS_TYPE *type, const char *declaration) {
  (void)type, (void)declaration;
  return 0;
}
static inline const CS_TYPE *ccs_struct_member_type(const CS_TYPE *type, ptrdiff_t index) {
  (void)index;
  return type;
}
