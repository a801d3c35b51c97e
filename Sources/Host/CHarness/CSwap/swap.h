#ifndef OPCODEKIT_SWAP_H
#define OPCODEKIT_SWAP_H

#include "Host.h"

#include <stdatomic.h>
#include <string.h>

#include "CSwap.h"

// The duration of the crossfade from the old version to the new one, in seconds.
#define SWAP_FADE 0.015
// The seconds for which a version with a new state runs unheard in the middle of a note, so that its state settles.
#define SWAP_UNHEARD 0.05

// The frames of sound per instance that changes to a new version. Setting up an instance costs as much as starting
// a note, and many at once would make a k-cycle late.
enum { swap_frames_per_move = 64 };

// ---- Memory (memory.c)

// The block of one version, with its buffers.
struct memory {
  char *block;  // NULL if there is none
  const struct swap_passes *passes;
  SUBR finish;       // the deinit pass it has registered
  AUXCH *buffers;    // chained through nxtchp, all inside the block
};

struct swap_engine;

// Memory filled with zeros; NULL if none is left.
void *memory_allocate(struct swap_engine *engine, size_t bytes);
void memory_free(struct swap_engine *engine, void *start);

// Allocates a block and copies `head` to its beginning. 0 without memory.
int memory_make(struct swap_engine *engine, struct memory *memory, const struct swap_passes *passes,
                const void *head, size_t head_bytes);

// Copies a block with all its buffers. Pointers to the block and the buffers are changed to point to the copies.
// 0 without memory.
int memory_copy(struct swap_engine *engine, struct memory *copy, const struct memory *original,
                const struct swap_passes *passes);

// Frees block and buffers.
void memory_release(struct swap_engine *engine, struct memory *memory);

// ---- Opcodes in notes (notes.c)

struct slot {
  // First, so that the address of the opcode's name in Csound is the address of the slot.
  char name[128];
  const struct swap_signature *signature;
  const struct swap_passes *passes;  // the version that new notes begin with
  struct swap_engine *engine;
};

// An instance of an opcode in a note. Csound reuses the block for one note after another.
struct instance {
  struct instance *next;
  struct slot *slot;
  void *csound_block;
  struct memory now, before;
  // True between the init pass and the deinit pass.
  _Atomic int is_active;
  int has_deinit;
  // The remaining frames of the crossfade from `before` to `now`; if 0, only `now` is performed.
  _Atomic long fade;
  // The outputs before a k-cycle, followed by the outputs of `before`.
  double *outputs;
  size_t output_count;  // number of samples in all outputs together
  int ksmps;
  // Whether there is an audio output, and whether there is an output that is a string, array or f-signal.
  int sounds, has_shapes;
};

enum phase { phase_rest, phase_moving, phase_fading, phase_retiring };

struct swap_engine {
  CSOUND *csound;
  size_t count;
  struct slot *slots;
  int checks;
  _Atomic(const struct swap_passes *) offered;
  _Atomic(struct instance *) instances;  // all instances ever created
  _Atomic int phase, is_over;
  _Atomic long fading;  // number of instances in a crossfade
  struct instance *cursor;
  long credit, waited;  // in frames
  _Atomic int64_t cycles, taken, kept, renewed, refused, overruns, bytes;
};

int notes_initialize(CSOUND *csound, void *block);
int notes_perform(CSOUND *csound, void *block);

// Changes an instance to its slot's version. 0 if there was nothing to do.
int notes_move(struct instance *instance);

// Ends a crossfade early.
void notes_end_fade(struct instance *instance);

// Ends the crossfade, runs the deinit pass of `before`, and frees its memory.
void notes_retire(struct instance *instance);

// ---- Init passes (init.c)

// Runs the init pass of `memory`. Buffers and deinit pass then belong to `memory` and not to Csound. If this is not
// called in one of Csound's init passes, `reason` must be given; it receives the error message of the pass.
int init_run(struct swap_engine *engine, struct memory *memory, char *reason, size_t reason_bytes);

#endif
