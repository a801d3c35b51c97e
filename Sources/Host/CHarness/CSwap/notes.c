#include "swap.h"

static struct slot *slot_of(const void *block) {
  return (struct slot *)((const OPDS *)block)->optext->t.oentry->opname;
}

static struct instance **place_of(void *block, const struct slot *slot) {
  return (struct instance **)((char *)block + slot->signature->head_bytes);
}

// ---- Outputs as one row of samples, without strings, arrays and f-signals.

struct outputs {
  void **pointers;
  int count, ksmps;
};

static char type_of(CSOUND *csound, void *argument) {
  (void)csound;
  return (*(CS_TYPE **)((char *)argument - CS_VAR_TYPE_OFFSET))->varTypeName[0];
}

static struct outputs outputs_of(const struct instance *instance) {
  OPDS *header = instance->csound_block;
  const ARGLST *list = header->optext->t.outlist;
  return (struct outputs){(void **)(header + 1), list == NULL ? 0 : list->count,
                          (int)header->insdshead->ksmps};
}

static size_t samples_in(CSOUND *csound, const struct outputs *outputs, int index) {
  void *output = outputs->pointers[index];
  if (output == NULL) return 0;
  switch (type_of(csound, output)) {
    case 'a': return (size_t)outputs->ksmps;
    case 'k':
    case 'i': return 1;
    default: return 0;
  }
}

// [performance: no allocation, no locks]
static void copy_outputs(CSOUND *csound, const struct outputs *outputs, double *row, int back) {
  for (int index = 0; index < outputs->count; index++) {
    size_t count = samples_in(csound, outputs, index);
    if (count == 0) continue;
    double *output = outputs->pointers[index];
    memcpy(back ? output : row, back ? row : output, count * sizeof(double));
    row += count;
  }
}

static void measure_outputs(CSOUND *csound, struct instance *instance) {
  struct outputs outputs = outputs_of(instance);
  instance->output_count = 0;
  instance->sounds = instance->has_shapes = 0;
  instance->ksmps = outputs.ksmps;
  for (int index = 0; index < outputs.count; index++) {
    if (outputs.pointers[index] == NULL) continue;
    size_t count = samples_in(csound, &outputs, index);
    instance->output_count += count;
    instance->sounds |= type_of(csound, outputs.pointers[index]) == 'a';
    instance->has_shapes |= count == 0;
  }
}

// ---- Passes

static long frames_in(CSOUND *csound, double seconds) {
  long frames = (long)(seconds * ccs_engine_sample_rate(csound));
  return frames > 1 ? frames : 1;
}

static void finish(CSOUND *csound, struct memory *memory) {
  SUBR pass = memory->finish;
  memory->finish = NULL;
  if (pass != NULL && memory->block != NULL) pass(csound, memory->block);
}

void notes_end_fade(struct instance *instance) {
  if (instance->fade == 0) return;
  instance->fade = 0;
  instance->slot->engine->fading--;
}

void notes_retire(struct instance *instance) {
  struct swap_engine *engine = instance->slot->engine;
  notes_end_fade(instance);
  finish(engine->csound, &instance->before);
  memory_release(engine, &instance->before);
  memory_free(engine, instance->outputs);
  instance->outputs = NULL;
}

// Begins a crossfade from `instance->now`, which is playing, to `next`. For the first `unheard` seconds `next`
// runs without being heard.
static void begin_fade(CSOUND *csound, struct instance *instance, struct memory next,
                       double unheard) {
  struct swap_engine *engine = instance->slot->engine;
  notes_retire(instance);
  instance->before = instance->now;
  instance->now = next;
  measure_outputs(csound, instance);
  if (instance->sounds)
    instance->outputs = memory_allocate(engine, 2 * instance->output_count * sizeof(double));
  if (instance->outputs == NULL) {
    notes_retire(instance);
    return;
  }
  instance->fade = frames_in(csound, SWAP_FADE + unheard);
  engine->fading++;
}

static struct instance *make(void *block, struct slot *slot) {
  struct swap_engine *engine = slot->engine;
  struct instance *instance = memory_allocate(engine, sizeof *instance);
  if (instance == NULL) return NULL;
  instance->slot = slot;
  instance->csound_block = block;
  if (!memory_make(engine, &instance->now, slot->passes, block, slot->signature->head_bytes)) {
    memory_free(engine, instance);
    return NULL;
  }
  *place_of(block, slot) = instance;
  // Atomic, because with -j several threads may do this at the same time.
  struct instance *first = engine->instances;
  do instance->next = first;
  while (!atomic_compare_exchange_weak(&engine->instances, &first, instance));
  return instance;
}

static int deinitialize(CSOUND *csound, void *block) {
  struct instance *instance = *place_of(block, slot_of(block));
  instance->is_active = 0;
  instance->has_deinit = 0;
  notes_end_fade(instance);
  finish(csound, &instance->before);
  finish(csound, &instance->now);
  return 0;
}

static int is_same(const struct swap_passes *a, const struct swap_passes *b) {
  return a->layout != 0 && a->layout == b->layout && a->block_bytes == b->block_bytes;
}

// Prepares an instance for an init pass with its slot's version. True if `now` is playing and must be faded out;
// then `next` is the new memory.
static int prepare(CSOUND *csound, struct instance *instance, struct memory *next) {
  struct slot *slot = instance->slot;
  const struct swap_passes *passes = slot->passes;
  if (instance->now.passes == passes) return 0;
  if (is_same(instance->now.passes, passes)) {
    instance->now.passes = passes;
    return 0;
  }
  if (!memory_make(slot->engine, next, passes, instance->csound_block, slot->signature->head_bytes))
    return 0;
  if (instance->is_active) return 1;
  finish(csound, &instance->now);
  memory_release(slot->engine, &instance->now);
  instance->now = *next;
  return 0;
}

int notes_initialize(CSOUND *csound, void *block) {
  struct slot *slot = slot_of(block);
  struct instance *instance = *place_of(block, slot);
  if (instance == NULL) instance = make(block, slot);
  if (instance == NULL) return csound->InitError(csound, "%s: no memory is left.", slot->name);
  struct memory next = {0};
  int fades = prepare(csound, instance, &next);
  int result = init_run(slot->engine, fades ? &next : &instance->now, NULL, 0);
  if (fades) begin_fade(csound, instance, next, 0);
  if (result != 0) return result;
  if (!instance->has_deinit) {
    instance->has_deinit = 1;
    ccs_at_deinit(csound, block, deinitialize);
  }
  instance->is_active = 1;
  return 0;
}

int notes_move(struct instance *instance) {
  struct slot *slot = instance->slot;
  struct swap_engine *engine = slot->engine;
  CSOUND *csound = engine->csound;
  const struct swap_passes *passes = slot->passes;
  if (!instance->is_active || instance->now.passes == passes) return 0;
  measure_outputs(csound, instance);
  if (is_same(instance->now.passes, passes)) {
    struct memory copy;
    if (!slot->signature->has_performance || !instance->sounds)
      instance->now.passes = passes;
    else if (memory_copy(engine, &copy, &instance->now, passes)) {
      // The state's deinit pass must run only once, for the copy.
      instance->now.finish = NULL;
      begin_fade(csound, instance, copy, 0);
    }
    engine->kept++;
    return 1;
  }
  // An opcode that works at i-time only has already done its work. An opcode with f-signals, arrays or strings
  // changes with its next init pass, because other opcodes rely on the present sizes of its outputs.
  if (!slot->signature->has_performance || instance->has_shapes) return 0;
  struct memory next;
  if (!memory_make(engine, &next, passes, instance->csound_block, slot->signature->head_bytes))
    return 1;
  char reason[512] = "its init pass failed";
  if (init_run(engine, &next, reason, sizeof reason) != 0) {
    csound->ErrorMsg(csound, "%s\nThis note plays on with the version before.\n", reason);
    memory_release(engine, &next);
    engine->refused++;
    return 1;
  }
  begin_fade(csound, instance, next, SWAP_UNHEARD);
  engine->renewed++;
  return 1;
}

// [performance: no allocation, no locks]
static int perform_both(CSOUND *csound, struct instance *instance) {
  struct outputs outputs = outputs_of(instance);
  if (outputs.ksmps != instance->ksmps) {
    notes_end_fade(instance);
    return instance->now.passes->perform(csound, instance->now.block);
  }
  double *given = instance->outputs, *old = given + instance->output_count;
  // An output can be an input, too, so each version must find the original values in it.
  copy_outputs(csound, &outputs, given, 0);
  instance->before.passes->perform(csound, instance->before.block);
  copy_outputs(csound, &outputs, old, 0);
  copy_outputs(csound, &outputs, given, 1);
  int result = instance->now.passes->perform(csound, instance->now.block);
  long left = instance->fade;
  double step = 1.0 / (double)frames_in(csound, SWAP_FADE);
  for (int index = 0; index < outputs.count; index++) {
    size_t count = samples_in(csound, &outputs, index);
    if (count > 0 && type_of(csound, outputs.pointers[index]) == 'a') {
      double *output = outputs.pointers[index];
      for (size_t frame = 0; frame < count && (long)frame < left; frame++) {
        double weight = (double)(left - (long)frame) * step;
        // If both samples are equal, the result is bit-identical to them.
        output[frame] = weight < 1 ? output[frame] + weight * (old[frame] - output[frame]) : old[frame];
      }
    }
    old += count;
  }
  if (left <= outputs.ksmps) notes_end_fade(instance);
  else instance->fade = left - outputs.ksmps;
  return result;
}

int notes_perform(CSOUND *csound, void *block) {
  struct slot *slot = slot_of(block);
  struct instance *instance = *place_of(block, slot);
  // This allocates only for a note that has skipped its init pass (igoto).
  if (instance == NULL && (instance = make(block, slot)) == NULL) return -1;
  if (!instance->is_active) prepare(csound, instance, &(struct memory){0});
  return instance->fade == 0 ? instance->now.passes->perform(csound, instance->now.block)
                             : perform_both(csound, instance);
}
