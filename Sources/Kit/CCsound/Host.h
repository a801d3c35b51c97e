// What hosts and tools need of Csound in addition to its plugin interface. Code that differs between versions of Csound
// is in Host6.h and Host7.h, under the same names.
#ifndef OPCODEKIT_HOST_H
#define OPCODEKIT_HOST_H

#include "CCsound.h"

// One registration of an opcode, as a plugin makes it.
struct ccs_registration {
  const char *name;
  ptrdiff_t block_bytes;
  int flags;
  int thread;  // 1 calls init, 2 performance, 3 both
  const char *outputs, *inputs;
  SUBR initialize, perform, audio, deinit;
};

enum ccs_registration_way { ccs_by_member, ccs_by_list, ccs_by_export };
typedef void (*ccs_see_registration)(const struct ccs_registration *, enum ccs_registration_way);

#if CS_VERSION < 7
#include "Host6.h"
#else
#include "Host7.h"
#endif
#include "HostThreads.h"

// The text of `invalue` is given as characters, for which Csound has 256 bytes; longer texts are cut off.
static inline void ccs_give_text(void *value, const char *text) {
  size_t length = strlen(text);
  if (length > 255) {
    // Not within a character.
    for (length = 255; length > 0 && ((unsigned char)text[length] & 0xC0) == 0x80;) length--;
  }
  memcpy(value, text, length);
  ((char *)value)[length] = '\0';
}

// Observes the registrations of a plugin: replaces AppendOpcode with functions that report each registration to `see`
// and then call Csound's own function. One engine at a time, on one thread.
struct ccs_watched {
  ccs_see_registration see;
  ccs_append_function append;
  ccs_append_list_function append_list;
};
static inline struct ccs_watched *ccs_watched(void) {
  static struct ccs_watched watched;
  return &watched;
}

static inline int ccs_see_append(CSOUND *csound, const struct ccs_registration *seen,
                                 enum ccs_registration_way way) {
  ccs_watched()->see(seen, way);
  return ccs_pass_on(csound, ccs_watched()->append, seen);
}

static inline int ccs_seen_list(CSOUND *csound, const OENTRY *list, CCS_COUNT count) {
  for (int index = 0; (count <= 0 || index < count) && list[index].opname != NULL; index++) {
    struct ccs_registration registration = ccs_registration_of(&list[index]);
    ccs_watched()->see(&registration, ccs_by_list);
  }
  return ccs_watched()->append_list(csound, list, count);
}

static inline void ccs_watch_registrations(CSOUND *csound, ccs_see_registration see) {
  struct ccs_watched watched = {see, csound->AppendOpcode, csound->AppendOpcodes};
  *ccs_watched() = watched;
  csound->AppendOpcode = ccs_seen_member;
  csound->AppendOpcodes = ccs_seen_list;
}

static inline void ccs_leave_registrations(CSOUND *csound) {
  csound->AppendOpcode = ccs_watched()->append;
  csound->AppendOpcodes = ccs_watched()->append_list;
}

// The function that libraries importing csoundAppendOpcode get in its place while registrations are observed.
static inline void *ccs_exported_append(void) { return (void *)ccs_seen_export; }

#ifndef OPCODEKIT_FOREIGN
// The path of the Csound library.
static inline const char *ccs_library_path(void) {
  struct ccs_library_info info;
  return ccs_find_library((const void *)&csoundCreate, &info) != 0 ? info.path : NULL;
}
#endif

// Csound's list of named GEN routines, as GetNamedGens returns it.
struct ccs_named_generator {
  const char *name;
  int number;
  struct ccs_named_generator *next;
};

#endif
