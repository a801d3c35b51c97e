#include <stdarg.h>
#include <stdio.h>

#include "swap.h"

// The init pass that this thread runs. Meanwhile, up to three of Csound's functions are replaced.
static _Thread_local struct under_way {
  struct swap_engine *engine;
  struct memory *memory;
  char *reason;
  size_t reason_bytes;
  void (*allocate)(CSOUND *, size_t, AUXCH *);
  ccs_register_deinit at_deinit;
} under_way;

static int is_inside(const void *place) {
  size_t offset = (size_t)((const char *)place - under_way.memory->block);
  return offset < under_way.memory->passes->block_bytes;
}

static void set(AUXCH *buffer, size_t bytes, void *memory) {
  buffer->size = bytes;
  buffer->auxp = memory;
  buffer->endp = memory == NULL ? NULL : (char *)memory + bytes;
}

// Replaces AuxAlloc, because Csound would attach the buffer to the note it regards as the current one, and free
// it with that note.
static void allocate(CSOUND *csound, size_t bytes, AUXCH *buffer) {
  if (!is_inside(buffer)) {
    // A buffer outside the block: an f-signal's frame, which the old version has normally allocated already.
    // If not, it is kept until the reset.
    if (under_way.reason == NULL || buffer->auxp != NULL) under_way.allocate(csound, bytes, buffer);
    else set(buffer, bytes, csound->Calloc(csound, bytes));
    return;
  }
  if (buffer->auxp != NULL && buffer->size == bytes) {
    memset(buffer->auxp, 0, bytes);
    return;
  }
  if (buffer->auxp != NULL) {
    memory_free(under_way.engine, buffer->auxp);
  } else {
    buffer->nxtchp = under_way.memory->buffers;
    under_way.memory->buffers = buffer;
  }
  set(buffer, bytes, memory_allocate(under_way.engine, bytes));
}

static int at_deinit(CSOUND *csound, void *block, SUBR pass) {
  if (block != under_way.memory->block) return under_way.at_deinit(csound, block, pass);
  under_way.memory->finish = pass;
  return 0;
}

// Replaces InitError, because outside Csound's own init passes InitError would jump (longjmp) out of the caller.
static int report(CSOUND *csound, const char *format, ...) {
  (void)csound;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(under_way.reason, under_way.reason_bytes, format, arguments);
  va_end(arguments);
  return -1;
}

int init_run(struct swap_engine *engine, struct memory *memory, char *reason, size_t reason_bytes) {
  CSOUND *csound = engine->csound;
  int (*init_error)(CSOUND *, const char *, ...) = csound->InitError;
  under_way = (struct under_way){engine,       memory, reason, reason_bytes, csound->AuxAlloc,
                                 ccs_replace_deinit(csound, at_deinit)};
  csound->AuxAlloc = allocate;
  // In versions where a block has a deinit function, the init pass stores its deinit pass there.
  SUBR *deinit = ccs_block_deinit(memory->block);
  if (deinit != NULL) *deinit = NULL;
  if (reason != NULL) csound->InitError = report;
  int result = memory->passes->initialize(csound, memory->block);
  csound->AuxAlloc = under_way.allocate;
  if (under_way.at_deinit != NULL) ccs_replace_deinit(csound, under_way.at_deinit);
  if (deinit != NULL && *deinit != NULL) memory->finish = *deinit;
  csound->InitError = init_error;
  return result;
}
