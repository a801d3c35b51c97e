#include "swap.h"

// All memory has the same alignment, so that aligned data inside a block has the same offset in a copy.
enum { alignment = 64, guard_bytes = 16 };

struct prefix {
  void *start;  // as Csound gave it
  size_t bytes;
};
_Static_assert(sizeof(struct prefix) == 16, "a prefix lies before an aligned address");

static const unsigned char guard = 0xA5, freed = 0xDB;

void *memory_allocate(struct swap_engine *engine, size_t bytes) {
  CSOUND *csound = engine->csound;
  // Memory that is not freed explicitly is freed by Csound's reset.
  char *start = csound->Calloc(csound, bytes + sizeof(struct prefix) + alignment + guard_bytes);
  if (start == NULL) return NULL;
  uintptr_t address = (uintptr_t)start + sizeof(struct prefix) + alignment - 1;
  char *memory = (char *)(address & ~(uintptr_t)(alignment - 1));
  struct prefix *prefix = (struct prefix *)memory - 1;
  *prefix = (struct prefix){start, bytes};
  memset(memory + bytes, guard, guard_bytes);
  engine->bytes += (int64_t)bytes;
  return memory;
}

void memory_free(struct swap_engine *engine, void *memory) {
  if (memory == NULL) return;
  struct prefix *prefix = (struct prefix *)memory - 1;
  const unsigned char *end = (unsigned char *)memory + prefix->bytes;
  for (int index = 0; index < guard_bytes; index++) engine->overruns += end[index] != guard;
  engine->bytes -= (int64_t)prefix->bytes;
  void *start = prefix->start;
  if (engine->checks) memset(memory, freed, prefix->bytes);
  engine->csound->Free(engine->csound, start);
}

int memory_make(struct swap_engine *engine, struct memory *memory, const struct swap_passes *passes,
                const void *head, size_t head_bytes) {
  char *block = memory_allocate(engine, passes->block_bytes);
  if (block == NULL) return 0;
  memcpy(block, head, head_bytes);
  *memory = (struct memory){.block = block, .passes = passes};
  return 1;
}

// Changes each word that points into `[start, start + bytes]` so that it points to the same place in the copy.
static void move_pointers(uintptr_t *word, const uintptr_t *end, const char *start, size_t bytes,
                          const char *copy) {
  for (; word < end; word++)
    if (*word - (uintptr_t)start <= bytes) *word += (uintptr_t)copy - (uintptr_t)start;
}

int memory_copy(struct swap_engine *engine, struct memory *copy, const struct memory *original,
                const struct swap_passes *passes) {
  size_t bytes = original->passes->block_bytes;
  char *block = memory_allocate(engine, bytes);
  if (block == NULL) return 0;
  memcpy(block, original->block, bytes);
  uintptr_t *words = (uintptr_t *)block, *end = words + bytes / sizeof(uintptr_t);
  for (AUXCH *buffer = original->buffers; buffer != NULL; buffer = buffer->nxtchp) {
    char *contents = memory_allocate(engine, buffer->size);
    if (contents == NULL) return 0;
    memcpy(contents, buffer->auxp, buffer->size);
    move_pointers(words, end, buffer->auxp, buffer->size, contents);
  }
  move_pointers(words, end, original->block, bytes, block);
  *copy = (struct memory){
      .block = block, .passes = passes, .finish = original->finish,
      .buffers = original->buffers == NULL
                     ? NULL
                     : (AUXCH *)(block + ((char *)original->buffers - original->block))};
  return 1;
}

void memory_release(struct swap_engine *engine, struct memory *memory) {
  if (memory->block == NULL) return;
  for (AUXCH *buffer = memory->buffers; buffer != NULL; buffer = buffer->nxtchp)
    memory_free(engine, buffer->auxp);
  memory_free(engine, memory->block);
  *memory = (struct memory){0};
}
