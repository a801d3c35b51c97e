#define _GNU_SOURCE
#include "CWatch.h"

#include "replace.h"

#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// ---- A heap whose larger blocks, which hold signals, begin on a page: how many instructions memset and
// memcpy take depends on where in a cache line or a page a block begins.

enum { smallest_aligned = 256 };

static void *aligned_malloc(size_t size) {
  return size < smallest_aligned ? malloc(size) : memalign((size_t)sysconf(_SC_PAGESIZE), size);
}

static void *aligned_calloc(size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes) || bytes < smallest_aligned)
    return calloc(count, size);
  void *block = aligned_malloc(bytes);
  return block == NULL ? NULL : memset(block, 0, bytes);
}

static void *aligned_realloc(void *block, size_t size) {
  if (size < smallest_aligned) return realloc(block, size);
  void *moved = aligned_malloc(size);
  if (block == NULL || moved == NULL) return moved;
  size_t usable = malloc_usable_size(block);
  memcpy(moved, block, usable < size ? usable : size);
  free(block);
  return moved;
}

static const struct celf_replacement aligned_memory[] = {
    {"malloc", aligned_malloc},
    {"calloc", aligned_calloc},
    {"realloc", aligned_realloc},
    {NULL, NULL},
};

void watch_align_heap(void) { watch_replace(aligned_memory, 1); }

// ---- A heap whose larger blocks cannot be touched once they are freed. Their pages are never given to
// anybody else.

enum { smallest_guarded = 512, most_guarded = 8192 };

struct guarded {
  void *block;
  size_t size, pages;
};
static struct guarded guarded[most_guarded];
static int guarded_count;

static struct guarded *guarded_at(const void *block) {
  // Blocks begin on a page, which hardly any others do.
  if (((uintptr_t)block & 4095) != 0) return NULL;
  int count = __atomic_load_n(&guarded_count, __ATOMIC_ACQUIRE);
  for (int index = count < most_guarded ? count - 1 : most_guarded - 1; index >= 0; index--)
    if (__atomic_load_n(&guarded[index].block, __ATOMIC_ACQUIRE) == block) return &guarded[index];
  return NULL;
}

static void *guarded_calloc(size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes) || bytes < smallest_guarded)
    return calloc(count, size);
  int index = __atomic_load_n(&guarded_count, __ATOMIC_RELAXED);
  if (index >= most_guarded ||
      (index = __atomic_fetch_add(&guarded_count, 1, __ATOMIC_RELAXED)) >= most_guarded)
    return calloc(count, size);
  size_t pages = (bytes + 4095) & ~(size_t)4095;
  void *block = mmap(NULL, pages, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (block == MAP_FAILED) return calloc(count, size);
  guarded[index].size = bytes;
  guarded[index].pages = pages;
  __atomic_store_n(&guarded[index].block, block, __ATOMIC_RELEASE);
  return block;
}

static void *guarded_malloc(size_t size) {
  return size < smallest_guarded ? malloc(size) : guarded_calloc(1, size);
}

static void guarded_free(void *block) {
  struct guarded *found = guarded_at(block);
  if (found == NULL) free(block);
  else mprotect(block, found->pages, PROT_NONE);
}

static void *guarded_realloc(void *block, size_t size) {
  const struct guarded *found = block == NULL ? NULL : guarded_at(block);
  if (found == NULL && size < smallest_guarded) return realloc(block, size);
  size_t old = block == NULL ? 0 : found != NULL ? found->size : malloc_usable_size(block);
  if (found != NULL && size == 0) {
    guarded_free(block);
    return NULL;
  }
  void *moved = guarded_malloc(size);
  if (moved == NULL || block == NULL) return moved;
  memcpy(moved, block, old < size ? old : size);
  guarded_free(block);
  return moved;
}

static const struct celf_replacement guarded_memory[] = {
    {"malloc", guarded_malloc},
    {"calloc", guarded_calloc},
    {"realloc", guarded_realloc},
    {"free", guarded_free},
    {NULL, NULL},
};

void watch_guard_heap(void) { watch_replace(guarded_memory, 1); }
