// In builds with checks: aborts with a message after an index out of range or a Swift trap. Only
// Checks.swift calls this, so there is a single copy of the variable that holds a thread's current
// pass.
#ifndef OPCODEKIT_CHECKS_H
#define OPCODEKIT_CHECKS_H

#include "CCsound.h"

// Debug builds are made for Linux only.
#if !defined(_WIN32) && !defined(__wasm__)

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

// The pass that this thread is in; `block` is NULL outside a pass.
struct ccs_pass {
  const OPDS *block;
  const char *name;
};
// Static variables inside functions, because Swift does not import those at file scope.
static inline struct ccs_pass *ccs_this_pass(void) {
  static _Thread_local struct ccs_pass pass;
  return &pass;
}

static inline void ccs_say(const char *text) {
  if (write(STDERR_FILENO, text, strlen(text)) < 0) return;
}

// Prints "REVERBSC, performance pass: ". Does not allocate, because it is also called in a signal
// handler.
static inline void ccs_say_pass(void) {
  char text[256];
  if (ccs_this_pass()->block == NULL) {
    ccs_say("OpcodeKit, outside a pass: ");
    return;
  }
  const char *name = ccs_this_pass()->block->optext->t.oentry->opname;
  snprintf(text, sizeof text, "%.*s, %s: ", ccs_opcode_name_length(name), name, ccs_this_pass()->name);
  ccs_say(text);
}

static inline struct sigaction *ccs_old_action(int signal) {
  static struct sigaction actions[2];
  return &actions[signal == SIGILL ? 0 : 1];
}

static inline void ccs_trapped(int signal) {
  if (ccs_this_pass()->block != NULL) {
    ccs_say_pass();
    ccs_say("Swift stopped it: NaN, infinity or a number out of range made an Int (use Math.whole), an"
            " overflow, a division by 0 or an index out of range.\n");
  }
  // Restores the previous handler. The trapping instruction then runs again and raises the signal
  // for it.
  sigaction(signal, ccs_old_action(signal), NULL);
}

static inline void ccs_enter_pass(const void *block, const char *name) {
  static int sees_traps;
  if (__atomic_exchange_n(&sees_traps, 1, __ATOMIC_RELAXED) == 0) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = ccs_trapped;
    sigaction(SIGILL, &action, ccs_old_action(SIGILL));
    sigaction(SIGTRAP, &action, ccs_old_action(SIGTRAP));
  }
  ccs_this_pass()->block = (const OPDS *)block;
  ccs_this_pass()->name = name;
}

static inline void ccs_leave_pass(void) { ccs_this_pass()->block = NULL; }

// Frames of an audio argument in this pass; unlimited outside a pass.
static inline ptrdiff_t ccs_pass_frames(void) {
  return ccs_this_pass()->block != NULL ? (ptrdiff_t)ccs_this_pass()->block->insdshead->ksmps : INT32_MAX;
}

static inline void ccs_stop_at_index(const char *what, ptrdiff_t index, ptrdiff_t count) {
  char text[128];
  snprintf(text, sizeof text, "index %ld is outside %s, of which there are %ld.\n", (long)index, what, (long)count);
  ccs_say_pass();
  ccs_say(text);
  abort();
}

#endif

#endif
