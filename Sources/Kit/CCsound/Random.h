// Random bytes from the kernel, using getentropy, which glibc has since 2.25. Swift's standard library uses
// arc4random_buf, which glibc has only since 2.36.
#ifndef OPCODEKIT_RANDOM_H
#define OPCODEKIT_RANDOM_H

#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

static inline void ccs_random_bytes(void *start, size_t count) {
  // getentropy returns at most 256 bytes per call.
  for (size_t done = 0; done < count;) {
    size_t part = count - done < 256 ? count - done : 256;
    // Aborts without kernel random numbers, as glibc's own arc4random_buf does.
    if (getentropy((char *)start + done, part) != 0) abort();
    done += part;
  }
}

#endif
