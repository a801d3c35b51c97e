#define _GNU_SOURCE
#include "CWatch.h"

#include "replace.h"

#include <malloc.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// ---- A heap whose larger blocks, which hold signals, begin on a page, because the number of instructions of memset
// and memcpy depends on a block's offset in a cache line or a page.

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

// ---- A heap whose larger blocks cannot be accessed after they are freed. Their addresses are never reused.

// Smaller blocks are not guarded, because an engine has thousands of them. Csound puts 16 bytes of its own before an
// opcode's memory.
enum { smallest_guarded = 128 + 16, most_guarded = 8192, page = 4096 };

// The guarded blocks in use, in no order.
static struct guarded {
  void *block;
  size_t size, pages;
} guarded[most_guarded];
static int guarded_count;
static atomic_flag guarded_lock = ATOMIC_FLAG_INIT;

static void lock_guarded(void) {
  while (atomic_flag_test_and_set_explicit(&guarded_lock, memory_order_acquire)) {
  }
}

static void unlock_guarded(void) { atomic_flag_clear_explicit(&guarded_lock, memory_order_release); }

// The entry of a guarded block; its `block` is NULL if there is none. With `ends`, the entry is removed.
static struct guarded guarded_at(const void *block, int ends) {
  struct guarded found = {NULL, 0, 0};
  // Guarded blocks begin on a page, which few other blocks do.
  if (block == NULL || (uintptr_t)block % page != 0) return found;
  lock_guarded();
  for (int index = guarded_count - 1; index >= 0; index--)
    if (guarded[index].block == block) {
      found = guarded[index];
      if (ends) guarded[index] = guarded[--guarded_count];
      break;
    }
  unlock_guarded();
  return found;
}

// A new guarded block; NULL if the size is too small to guard, or if memory or the list is full.
static void *guarded_pages(size_t bytes) {
  if (bytes < smallest_guarded) return NULL;
  size_t pages = (bytes + page - 1) & ~(size_t)(page - 1);
  void *block = mmap(NULL, pages, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (block == MAP_FAILED) return NULL;
  lock_guarded();
  int fits = guarded_count < most_guarded;
  if (fits) guarded[guarded_count++] = (struct guarded){block, bytes, pages};
  unlock_guarded();
  if (fits) return block;
  munmap(block, pages);
  return NULL;
}

static void *guarded_calloc(size_t count, size_t size) {
  size_t bytes;
  void *block = __builtin_mul_overflow(count, size, &bytes) ? NULL : guarded_pages(bytes);
  return block != NULL ? block : calloc(count, size);
}

static void *guarded_malloc(size_t size) {
  void *block = guarded_pages(size);
  return block != NULL ? block : malloc(size);
}

static void *guarded_aligned_alloc(size_t alignment, size_t size) {
  void *block = alignment > page ? NULL : guarded_pages(size);
  return block != NULL ? block : aligned_alloc(alignment, size);
}

static void guarded_free(void *block) {
  struct guarded found = guarded_at(block, 1);
  if (found.block == NULL) free(block);
  else mmap(block, found.pages, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
}

static void *guarded_realloc(void *block, size_t size) {
  struct guarded found = guarded_at(block, 0);
  if (found.block == NULL && size < smallest_guarded) return realloc(block, size);
  size_t old = block == NULL ? 0 : found.block != NULL ? found.size : malloc_usable_size(block);
  if (found.block != NULL && size == 0) {
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
    {"aligned_alloc", guarded_aligned_alloc},
    {"free", guarded_free},
    {NULL, NULL},
};

void watch_guard_heap(void) { watch_replace(guarded_memory, 1); }
