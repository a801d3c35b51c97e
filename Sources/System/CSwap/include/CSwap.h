// Opcodes whose code changes while they sound.
//
// Csound is given passes of this library for each opcode. Behind them stands the code of one version of the
// opcodes, and another may take its place between two k-cycles. Csound's own block has no more than the header,
// the pointers to the arguments and a pointer to the instance; what a version takes for its block lies in memory
// of ours, which begins with a copy of that.
#ifndef OPCODEKIT_CSWAP_H
#define OPCODEKIT_CSWAP_H

#include <stddef.h>
#include <stdint.h>

// A pass as Csound calls it: the engine, the block.
typedef int (*swap_function)(void *engine, void *block);

// What every version of an opcode has in common.
struct swap_signature {
  const char *name, *outputs, *inputs;
  // Bytes of a block up to the end of the pointers to the arguments.
  size_t head_bytes;
  int has_performance;
};

// One version of an opcode.
struct swap_passes {
  swap_function initialize, perform;
  size_t block_bytes;
  // Versions with the same number, other than 0, understand each other's state.
  int64_t layout;
};

struct swap_engine;

struct swap_counts {
  // Versions taken; instances that went over to one with their state, with a new one, not at all.
  int64_t taken, kept, renewed, refused;
  // Bytes beyond a block or buffer that were found written to when it was freed.
  int64_t overruns;
  // Bytes in use.
  int64_t bytes;
};

// Registers opcodes with an engine in which nothing is compiled, and begins with these passes. All that is
// pointed to must stay for good. `checks` fills freed memory with a pattern. NULL where there is no memory.
struct swap_engine *swap_register(void *engine, const struct swap_signature *signatures,
                                  const struct swap_passes *passes, size_t count, int checks);

// Offers another version to an engine that may be performed meanwhile, on any thread: it is taken between two of
// the next cycles. One that was offered before and not yet taken is passed over.
void swap_offer(struct swap_engine *engine, const struct swap_passes *passes);

// Whether a version is on its way: not taken, or notes that have not yet begun with it.
int swap_is_under_way(const struct swap_engine *engine);

// Cycles the engine has performed: one that performs none takes nothing.
int64_t swap_cycles(const struct swap_engine *engine);

// Whether the engine was reset or destroyed: nothing is taken any more.
int swap_is_over(const struct swap_engine *engine);

struct swap_counts swap_counts_of(const struct swap_engine *engine);

#endif
