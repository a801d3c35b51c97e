// libseccomp as a Swift module: filters for system calls, with functions for macros that Swift
// cannot import.
#ifndef OPCODEKIT_CSECCOMP_H
#define OPCODEKIT_CSECCOMP_H

#include <errno.h>
#include <seccomp.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

// The action that makes a system call fail with an error of errno.h.
static inline unsigned seccomp_refusal(int error) { return SCMP_ACT_ERRNO(error); }

// Whether the kernel can make system calls fail: Linux from 4.14 on, if it was built with seccomp.
static inline int seccomp_is_there(void) {
  unsigned action = SCMP_ACT_ERRNO(0);
  return syscall(__NR_seccomp, 2 /* SECCOMP_GET_ACTION_AVAIL */, 0, &action) == 0;
}

#endif
