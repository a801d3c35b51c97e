// Opcodes whose code can be replaced while they play.
//
// For each opcode, Csound calls passes of this library, which call the passes of the current version of the
// opcode. Between two k-cycles another version can replace it. The block that Csound allocates contains only the
// header, the pointers to the arguments and a pointer to the instance. The block that a version works on is
// allocated by this library; it begins with a copy of the header and the pointers to the arguments.
#ifndef OPCODEKIT_CSWAP_H
#define OPCODEKIT_CSWAP_H

#include <stddef.h>
#include <stdint.h>

// A pass as Csound calls it, with the engine and the block.
typedef int (*swap_function)(void *engine, void *block);

// The properties that all versions of an opcode have in common.
struct swap_signature {
  const char *name, *outputs, *inputs;
  // The size in bytes of a block's header and pointers to the arguments.
  size_t head_bytes;
  int has_performance;
};

// One version of an opcode.
struct swap_passes {
  swap_function initialize, perform;
  size_t block_bytes;
  // Versions with the same number, other than 0, can continue with each other's state.
  int64_t layout;
};

struct swap_engine;

struct swap_counts {
  // The number of new versions used; and the numbers of instances that changed to a new version with their state
  // (kept), with a new state (renewed), and that could not change (refused).
  int64_t taken, kept, renewed, refused;
  // The number of bytes after blocks and buffers that had been overwritten, found when they were freed.
  int64_t overruns;
  // The number of bytes allocated at present.
  int64_t bytes;
};

// Registers opcodes with an engine in which nothing is compiled yet; `passes` are the first version. The memory
// of all arguments must stay valid for ever. With `checks`, freed memory is filled with a pattern. Returns NULL
// without memory.
struct swap_engine *swap_register(void *engine, const struct swap_signature *signatures,
                                  const struct swap_passes *passes, size_t count, int checks);

// Offers a new version to an engine, which may be performing; callable on any thread. The engine begins to use it
// between two of the next k-cycles. An earlier offer that is not used yet is dropped.
void swap_offer(struct swap_engine *engine, const struct swap_passes *passes);

// Whether an offered version is not used yet, or some notes have not yet changed to it.
int swap_is_under_way(const struct swap_engine *engine);

// The number of k-cycles the engine has performed. An engine that performs none uses no new version.
int64_t swap_cycles(const struct swap_engine *engine);

// Whether the engine was reset or destroyed, so that it uses no further version.
int swap_is_over(const struct swap_engine *engine);

struct swap_counts swap_counts_of(const struct swap_engine *engine);

#endif
