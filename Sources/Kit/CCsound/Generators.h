// The parts of the interface for a plugin's GEN routines that Swift cannot import.
#ifndef OPCODEKIT_GENERATORS_H
#define OPCODEKIT_GENERATORS_H

#include "CCsound.h"

// Call all of these in an init pass, or before the performance.

// The list of a plugin without GEN routines.
static inline NGFENS *ccs_no_generators(void) {
  static NGFENS none[1];
  return none;
}

static inline int ccs_generator_parameter_count(const FGDATA *request) {
  return request->e.pcnt > 4 ? (int)request->e.pcnt - 4 : 0;
}

// The parameters after the GEN routine's name, from index 0.
static inline double ccs_generator_parameter(const FGDATA *request, int index) {
  return ccs_event_field(&request->e, index + 5);
}

static inline int ccs_generator_error(const FGDATA *request, const char *text) {
  return request->csound->CCS_TABLE_ERROR(request, "%s", text);
}

static inline int ccs_generator_error_argument(const FGDATA *request, const char *argument,
                                               double found, const char *allowed) {
  return request->csound->CCS_TABLE_ERROR(request, "'%s' is %.10g; it must be %s.", argument,
                                          found, allowed);
}

// Appends an entry to `list`, which has `count` entries, and terminates it with an empty one.
static inline NGFENS *ccs_add_generator(CSOUND *csound, NGFENS *list, int count, const char *name,
                                        int (*fill)(FGDATA *, FUNC *)) {
  size_t bytes = sizeof(NGFENS) * ((size_t)count + 2);
  list = (NGFENS *)(list == NULL ? csound->Calloc(csound, bytes)
                                 : csound->ReAlloc(csound, list, bytes));
  memset(list + count, 0, 2 * sizeof(NGFENS));
  if (name == NULL) return list;
  list[count].name = (char *)name;
  list[count].fn = fill;
  return list;
}

#endif
