#include <stdlib.h>

#include "swap.h"

// Begins to use the version that was offered, if there is one.
static void take(struct swap_engine *engine) {
  if (engine->offered == NULL) return;
  engine->phase = phase_moving;
  const struct swap_passes *passes = atomic_exchange(&engine->offered, NULL);
  for (size_t index = 0; index < engine->count; index++) engine->slots[index].passes = &passes[index];
  engine->cursor = engine->instances;
  engine->credit = swap_frames_per_move;
  engine->taken++;
}

// Calls `visit` for further instances, as many as the credit allows: a visit that did something
// costs `swap_frames_per_move` frames of sound, any other visit one frame. True after the last
// instance.
static int visit_all(struct swap_engine *engine, int (*visit)(struct instance *)) {
  while (engine->cursor != NULL && engine->credit > 0) {
    engine->credit -= visit(engine->cursor) ? swap_frames_per_move : 1;
    engine->cursor = engine->cursor->next;
  }
  return engine->cursor == NULL;
}

static int retire(struct instance *instance) {
  if (instance->before.block == NULL) return 0;
  notes_retire(instance);
  return 1;
}

// Called by Csound between two cycles, on the thread that performs.
static void between_cycles(CSOUND *csound, void *data) {
  struct swap_engine *engine = data;
  long ksmps = (long)csoundGetKsmps(csound);
  long limit = ksmps > swap_frames_per_move ? ksmps : swap_frames_per_move;
  engine->cycles++;
  engine->credit += ksmps;
  if (engine->credit > limit) engine->credit = limit;
  // clang 14 takes no atomic in a switch.
  int phase = engine->phase;
  switch (phase) {
    case phase_rest:
      take(engine);
      if (engine->phase == phase_rest) return;
      // fall through
    case phase_moving:
      if (!visit_all(engine, notes_move)) return;
      engine->waited = 0;
      engine->phase = phase_fading;
      return;
    case phase_fading:
      engine->waited += ksmps;
      // An opcode that its note currently skips is not performed, so its crossfade does not
      // advance.
      if (engine->fading > 0 && engine->waited < (long)(4 * (SWAP_FADE + SWAP_UNHEARD) * ccs_engine_sample_rate(csound)))
        return;
      engine->cursor = engine->instances;
      engine->phase = phase_retiring;
      return;
    case phase_retiring:
      if (visit_all(engine, retire)) engine->phase = phase_rest;
      return;
  }
}

static int end(CSOUND *csound, void *data) {
  (void)csound;
  ((struct swap_engine *)data)->is_over = 1;
  return 0;
}

struct swap_engine *swap_register(void *csound_engine, const struct swap_signature *signatures,
                                  const struct swap_passes *passes, size_t count, int checks) {
  CSOUND *csound = csound_engine;
  // Never freed, because Csound keeps the names and prints them even while it ends.
  struct swap_engine *engine = calloc(1, sizeof *engine);
  struct slot *slots = calloc(count + 1, sizeof *slots);
  if (engine == NULL || slots == NULL) return NULL;
  engine->csound = csound;
  engine->count = count;
  engine->slots = slots;
  engine->checks = checks;
  for (size_t index = 0; index < count; index++) {
    const struct swap_signature *signature = &signatures[index];
    struct slot *slot = &slots[index];
    strncpy(slot->name, signature->name, sizeof slot->name - 1);
    slot->signature = signature;
    slot->passes = &passes[index];
    slot->engine = engine;
    size_t bytes = (signature->head_bytes + sizeof(struct instance *) + 15) & ~(size_t)15;
    ccs_append(csound, slot->name, bytes, signature->outputs, signature->inputs, notes_initialize,
               signature->has_performance ? notes_perform : NULL, 1);
  }
  ccs_before_cycles(csound, between_cycles, engine);
  csound->RegisterResetCallback(csound, engine, end);
  return engine;
}

void swap_offer(struct swap_engine *engine, const struct swap_passes *passes) {
  atomic_store(&engine->offered, passes);
}

int swap_is_under_way(const struct swap_engine *engine) {
  return engine->offered != NULL || engine->phase == phase_moving;
}

int64_t swap_cycles(const struct swap_engine *engine) { return engine->cycles; }

int swap_is_over(const struct swap_engine *engine) { return engine->is_over; }

struct swap_counts swap_counts_of(const struct swap_engine *engine) {
  return (struct swap_counts){engine->taken,   engine->kept,     engine->renewed,
                              engine->refused, engine->overruns, engine->bytes};
}
