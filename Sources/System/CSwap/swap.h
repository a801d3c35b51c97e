#ifndef OPCODEKIT_SWAP_H
#define OPCODEKIT_SWAP_H

#ifndef USE_DOUBLE
#define USE_DOUBLE 1
#endif
#include <csound/csdl.h>

#include <stdatomic.h>
#include <string.h>

#include "CSwap.h"

// Seconds from the old version's sound to the new one's.
#define SWAP_FADE 0.015
// Seconds in which a new state finds its way into the middle of a note before it is heard.
#define SWAP_UNHEARD 0.05

// Frames of sound for each instance that goes over: setting one up costs what the start of a note costs, and many
// of them at once would be a late cycle.
enum { swap_frames_per_move = 64 };

// ---- Memory (memory.c)

// What one version takes for its block.
struct memory {
  char *block;  // NULL: there is none
  const struct swap_passes *passes;
  SUBR finish;       // the deinit pass it has asked for
  AUXCH *buffers;    // chained through nxtchp, all inside the block
};

struct swap_engine;

// Zeros; NULL where there is no memory left.
void *memory_allocate(struct swap_engine *engine, size_t bytes);
void memory_free(struct swap_engine *engine, void *start);

// A block whose head is that of Csound's own.
int memory_make(struct swap_engine *engine, struct memory *memory, const struct swap_passes *passes,
                const void *head, size_t head_bytes);

// A block that is a copy of another with all its buffers; pointers into these point into the copies.
int memory_copy(struct swap_engine *engine, struct memory *copy, const struct memory *original,
                const struct swap_passes *passes);

// Frees block and buffers.
void memory_release(struct swap_engine *engine, struct memory *memory);

// ---- Opcodes in notes (notes.c)

struct slot {
  // First, so that Csound's name of the opcode leads here.
  char name[128];
  const struct swap_signature *signature;
  const struct swap_passes *passes;  // of the version that new notes begin with
  struct swap_engine *engine;
};

// An opcode in a note. Csound gives its block to one note after the other.
struct instance {
  struct instance *next;
  struct slot *slot;
  void *csound_block;
  struct memory now, before;
  // From the init pass to the deinit pass.
  _Atomic int is_active;
  int has_deinit;
  // Frames that are left of the crossfade from `before` to `now`; 0: only `now` is performed.
  _Atomic long fade;
  // The outputs before a cycle, and what `before` made of them.
  double *outputs;
  size_t output_count;  // samples of all outputs together
  int ksmps;
  // Whether there is an audio output; one that is no number and no signal.
  int sounds, has_shapes;
};

enum phase { phase_rest, phase_moving, phase_fading, phase_retiring };

struct swap_engine {
  CSOUND *csound;
  size_t count;
  struct slot *slots;
  int checks;
  _Atomic(const struct swap_passes *) offered;
  _Atomic(struct instance *) instances;  // all there ever were
  _Atomic int phase, is_over;
  _Atomic long fading;  // instances
  struct instance *cursor;
  long credit, waited;  // frames
  _Atomic int64_t cycles, taken, kept, renewed, refused, overruns, bytes;
};

int notes_initialize(CSOUND *csound, void *block);
int notes_perform(CSOUND *csound, void *block);

// Lets an instance go over to its slot's version; 0 where there was nothing to do.
int notes_move(struct instance *instance);

// Ends what is left of a crossfade.
void notes_end_fade(struct instance *instance);

// Frees what an instance no longer performs.
void notes_retire(struct instance *instance);

// ---- Init passes (init.c)

// Runs the init pass of `memory`, whose buffers and deinit pass then belong to it and not to Csound. `reason`,
// where given, gets what it reports instead of Csound: then this is no init pass of Csound's.
int init_run(struct swap_engine *engine, struct memory *memory, char *reason, size_t reason_bytes);

#endif
