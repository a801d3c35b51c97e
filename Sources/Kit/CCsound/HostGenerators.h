// GEN routines that a host provides itself, for which Csound has no interface. Csound 6 only.
#ifndef OPCODEKIT_HOST_GENERATORS_H
#define OPCODEKIT_HOST_GENERATORS_H

#include "Host.h"

#if CS_VERSION < 7

// Csound takes named GEN routines from plugins only. A host with its own GEN routines replaces `GetNamedGens`, in which
// `ftgen` looks for names, and `hfgens`, through which every table is made. It calls the function below for tables that
// use one of its routines; `make` is Csound's own `hfgens`. Csound sizes and numbers the table and prints its messages,
// for a table of zeros. Rescaling to a peak of 1 and the guard point then follow Csound's rules for named GEN routines.

typedef int (*ccs_make_table)(CSOUND *, FUNC **, const EVTBLK *, int);

static inline int ccs_make_named_table(CSOUND *csound, FUNC **table, const EVTBLK *event, int mode,
                                       ccs_make_table make, int (*fill)(FGDATA *, FUNC *)) {
  FGDATA *request = (FGDATA *)csound->Calloc(csound, sizeof(FGDATA));
  long size = (long)event->p[3];
  int status;
  request->csound = csound;
  request->e = *event;
  if (size == 0) {
    status = fill(request, NULL);
  } else {
    request->e.p[4] = -2;
    request->e.p[5] = 0;
    request->e.pcnt = 5;
    request->e.strarg = NULL;
    status = make(csound, table, &request->e, mode);
    if (status == 0 && *table != NULL) {
      FUNC *made = *table;
      request->e = *event;
      request->flen = (int32)made->flen;
      request->fno = (int)made->fno;
      request->guardreq = size < 0 || (size & (size - 1)) != 0;
      status = fill(request, made);
      if (status != 0) {
        csound->FTDelete(csound, request->fno);
      } else {
        double peak = 0;
        if (!request->guardreq) made->ftable[made->flen] = made->ftable[0];
        for (uint32_t index = 0; index <= made->flen; index++) {
          double size_here = made->ftable[index] < 0 ? -made->ftable[index] : made->ftable[index];
          if (size_here > peak) peak = size_here;
        }
        for (uint32_t index = 0; peak > 0 && index <= made->flen; index++)
          made->ftable[index] /= peak;
      }
    }
  }
  csound->Free(csound, request);
  return status;
}

// Numbers from here on are never used by Csound for a GEN routine.
enum { ccs_first_host_generator = 1 << 20 };

// The list of names for `list`, which ends with an empty entry; NULL when it has none.
static inline struct ccs_named_generator *ccs_name_generators(CSOUND *csound, const NGFENS *list) {
  struct ccs_named_generator *first = NULL;
  for (int index = 0; list[index].name != NULL; index++) {
    struct ccs_named_generator *entry =
        (struct ccs_named_generator *)csound->Calloc(csound, sizeof *entry);
    entry->name = list[index].name;
    entry->number = ccs_first_host_generator + index;
    entry->next = first;
    first = entry;
  }
  return first;
}

// The routine of `list` that an event uses, by name in a score, by number from `ftgen`; NULL when there is none.
static inline int (*ccs_host_generator(CSOUND *csound, const NGFENS *list,
                                       const EVTBLK *event))(FGDATA *, FUNC *) {
  int is_name = csound->ISSTRCOD(event->p[4]) && event->strarg != NULL;
  for (int index = 0; list[index].name != NULL; index++)
    if (is_name ? strcmp(list[index].name, event->strarg) == 0
                : event->p[4] == ccs_first_host_generator + index)
      return list[index].fn;
  return NULL;
}

#endif
#endif
