// Two ring buffers to compare the Swift one with: the same in C, and the usual kind, which copies in two parts
// at its end.
#ifndef OPCODEKIT_CREALTIME_RIVALS_H
#define OPCODEKIT_CREALTIME_RIVALS_H

#include "CRealtime.h"
#include <stdlib.h>
#include <string.h>

struct rival_ring {
  char *base;
  size_t capacity;
  _Alignas(128) size_t written, read_seen;
  _Alignas(128) size_t read, written_seen;
};

// With `twice`, its memory is mapped twice. `capacity` is a power of two, in bytes. NULL without memory.
static inline struct rival_ring *rival_ring_new(size_t capacity, int twice) {
  struct rival_ring *ring = (struct rival_ring *)aligned_alloc(128, sizeof *ring);
  if (ring == NULL) return NULL;
  memset(ring, 0, sizeof *ring);
  ring->capacity = capacity;
  ring->base = twice ? realtime_map_twice(capacity) : (char *)calloc(1, capacity);
  if (ring->base != NULL) return ring;
  free(ring);
  return NULL;
}

static inline void rival_ring_free(struct rival_ring *ring, int twice) {
  if (twice) realtime_unmap_twice(ring->base, ring->capacity);
  else free(ring->base);
  free(ring);
}

static inline int rival_ring_has_room(struct rival_ring *ring, size_t written, size_t bytes) {
  if (ring->capacity - (written - ring->read_seen) >= bytes) return 1;
  ring->read_seen = __atomic_load_n(&ring->read, __ATOMIC_ACQUIRE);
  return ring->capacity - (written - ring->read_seen) >= bytes;
}

static inline int rival_ring_has_bytes(struct rival_ring *ring, size_t read, size_t bytes) {
  if (ring->written_seen - read >= bytes) return 1;
  ring->written_seen = __atomic_load_n(&ring->written, __ATOMIC_ACQUIRE);
  return ring->written_seen - read >= bytes;
}

static inline int rival_ring_write(struct rival_ring *ring, const void *source, size_t bytes, int twice) {
  size_t written = __atomic_load_n(&ring->written, __ATOMIC_RELAXED);
  if (!rival_ring_has_room(ring, written, bytes)) return 0;
  size_t place = written & (ring->capacity - 1), first = bytes;
  if (!twice && place + bytes > ring->capacity) first = ring->capacity - place;
  memcpy(ring->base + place, source, first);
  if (!twice) memcpy(ring->base, (const char *)source + first, bytes - first);
  __atomic_store_n(&ring->written, written + bytes, __ATOMIC_RELEASE);
  return 1;
}

static inline int rival_ring_read(struct rival_ring *ring, void *target, size_t bytes, int twice) {
  size_t read = __atomic_load_n(&ring->read, __ATOMIC_RELAXED);
  if (!rival_ring_has_bytes(ring, read, bytes)) return 0;
  size_t place = read & (ring->capacity - 1), first = bytes;
  if (!twice && place + bytes > ring->capacity) first = ring->capacity - place;
  memcpy(target, ring->base + place, first);
  if (!twice) memcpy((char *)target + first, ring->base, bytes - first);
  __atomic_store_n(&ring->read, read + bytes, __ATOMIC_RELEASE);
  return 1;
}

// Passes `count` blocks of `bytes` bytes through a ring on one thread, like the test of the Swift ring. Returns
// the sum of the first bytes read.
static inline long long rival_ring_run(struct rival_ring *ring, long count, size_t bytes, int twice) {
  char block[4096] = {0}, back[4096] = {0};
  long long sum = 0;
  for (long index = 0; index < count; index++) {
    block[0] = (char)index;
    rival_ring_write(ring, block, bytes, twice);
    rival_ring_read(ring, back, bytes, twice);
    sum += back[0];
  }
  return sum;
}

#endif
