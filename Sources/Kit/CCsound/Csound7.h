// Code for Csound 7 only; Csound6.h has the same names. Part of CCsound.h.

#include <stddef.h>
#include <csound/arrays.h>
#include <csound/csound_structs.h>

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

CCS_SAME static inline double ccs_engine_sample_rate(CSOUND *csound) { return csound->GetEngineSr(csound); }
// A user-defined opcode can have a sample rate of its own.
CCS_SAME static inline double ccs_sample_rate(CSOUND *csound, const void *block) {
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

// Offset in CSOUND of the list of tables by number, in the release 7.0.0 of PyPI; 0 when it is not known.
enum {
#if defined(__linux__) && defined(__x86_64__)
  ccs_tables_place = 0x10f8
#else
  ccs_tables_place = 0
#endif
};

#define CCS_TABLE_ERROR FtError

// [init pass] Makes a table of an event `f`, as the opcode `ftgen` does.
#define CCS_MAKE_TABLE(csound, table, event) (csound)->FTCreate(csound, table, event, 1)
// The event's memory goes on with its fields.
static inline MYFLT *ccs_event_fields(EVTBLK *event) { return event->p = (MYFLT *)(event + 1); }

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

// ---- Structs. A declaration is what an orchestra has after the word `struct`: "Point x:k, y:k, at:Other, list:i[]".

typedef CS_STRUCT_VAR ccs_struct;

static inline int ccs_has_structs(void) { return 1; }

// [while opcodes are registered] Makes a struct known to Csound, which copies the declaration. Returns 0 when its name
// is in use, or a member's type is not known.
static inline int ccs_register_struct(CSOUND *csound, const char *declaration) {
  size_t bytes = strlen(declaration) + 1, count = 0;
  char *text = (char *)csound->Calloc(csound, bytes), *rest;
  CSOUND_STRUCT_MEMBER *members;
  int is_made = 0;
  memcpy(text, declaration, bytes);
  for (rest = text; *rest != '\0'; rest++) count += *rest == ':';
  members = (CSOUND_STRUCT_MEMBER *)csound->Calloc(csound, (count + 1) * sizeof *members);
  count = 0;
  // Ends each word with a zero and notes where the words after it begin.
  for (rest = text; *rest != '\0'; rest++) {
    if (*rest == ':') members[count++].type = rest + 1;
    else if (*rest == ' ') members[count].name = rest + 1;
    else if (*rest != ',') continue;
    *rest = '\0';
  }
  if (csound->RegisterStruct != NULL) is_made = csound->RegisterStruct(csound, text, members, count) != NULL;
  csound->Free(csound, members);
  csound->Free(csound, text);
  return is_made;
}

// Whether a text begins with a word; moves on behind it.
static inline int ccs_skip(const char **text, const char *word, size_t length) {
  if (strncmp(*text, word, length) != 0) return 0;
  *text += length;
  return 1;
}

// The same for a type's name, which for a struct is stored as ":Point;".
static inline int ccs_skip_type(const char **text, const CS_TYPE *type) {
  const char *name = type->varTypeName;
  size_t length = strlen(name);
  return name[0] == ':' ? ccs_skip(text, name + 1, length - 2) : ccs_skip(text, name, length);
}

// The type of a struct's member; of an array's elements when it is an array.
static inline const CS_TYPE *ccs_member_type(const CS_VARIABLE *member) {
  return member->dimensions > 0 && member->subType != NULL ? member->subType : member->varType;
}

// [any pass: no allocation, no locks] Whether a type is the struct of this declaration, members of a struct type aside.
static inline int ccs_is_struct(const CS_TYPE *type, const char *declaration) {
  const char *text = declaration, *between = " ";
  if (type == NULL || !type->userDefinedType || !ccs_skip_type(&text, type)) return 0;
  for (const CONS_CELL *cell = type->members; cell != NULL; cell = cell->next) {
    const CS_VARIABLE *member = (const CS_VARIABLE *)cell->value;
    if (!ccs_skip(&text, between, strlen(between)) || !ccs_skip(&text, member->varName, strlen(member->varName)) ||
        !ccs_skip(&text, ":", 1) || !ccs_skip_type(&text, ccs_member_type(member)))
      return 0;
    for (int dimension = 0; dimension < member->dimensions; dimension++)
      if (!ccs_skip(&text, "[]", 2)) return 0;
    between = ", ";
  }
  return *text == '\0';
}

// [any pass: no allocation, no locks] The type of a member, as `ccs_member_type` has it; the member must exist.
static inline const CS_TYPE *ccs_struct_member_type(const CS_TYPE *type, ptrdiff_t index) {
  const CONS_CELL *cell = type->members;
  while (index-- > 0) cell = cell->next;
  return ccs_member_type((const CS_VARIABLE *)cell->value);
}
