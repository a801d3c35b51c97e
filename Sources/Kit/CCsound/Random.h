// Random bytes from the kernel, using getentropy, which glibc has since 2.25. Swift's standard library uses
// arc4random_buf, which glibc has only since 2.36.
#ifndef OPCODEKIT_RANDOM_H
#define OPCODEKIT_RANDOM_H

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef _WIN32

// Part of the C library of Windows, which declares it only where _CRT_RAND_S is defined.
extern int ccs_random_word(unsigned *word) __asm__("rand_s");

static inline void ccs_random_bytes(void *start, size_t count) {
  for (size_t done = 0; done < count;) {
    unsigned word;
    size_t part = count - done < sizeof word ? count - done : sizeof word;
    if (ccs_random_word(&word) != 0) abort();
    memcpy((char *)start + done, &word, part);
    done += part;
  }
}

#else

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

#endif
