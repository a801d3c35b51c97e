// Random bytes from the kernel, under a name that older C libraries have, too: getentropy is in glibc
// since 2.25, arc4random_buf, which Swift's standard library asks for, since 2.36.
#ifndef OPCODEKIT_RANDOM_H
#define OPCODEKIT_RANDOM_H

#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

static inline void ccs_random_bytes(void *start, size_t count) {
  // It gives at most 256 bytes at once.
  for (size_t done = 0; done < count;) {
    size_t part = count - done < 256 ? count - done : 256;
    // Without the kernel's random numbers glibc's own function ends the program as well.
    if (getentropy((char *)start + done, part) != 0) abort();
    done += part;
  }
}

#endif
