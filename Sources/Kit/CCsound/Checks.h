// In builds with checks: aborts with a message after an index out of range or a Swift trap. Only
// Checks.swift calls this, so there is a single copy of the variable that holds a thread's current
// pass.
#ifndef OPCODEKIT_CHECKS_H
#define OPCODEKIT_CHECKS_H

#include "CCsound.h"

// Debug builds are made for Linux only.
#ifndef OPCODEKIT_FOREIGN

#include <execinfo.h>
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

// Prints one input argument: the name that the orchestra has for it, and its value where it is one number or a text.
static inline void ccs_say_input(const char *name, const ARG *source, const void *value, uint32_t offset) {
  char type = 'i', text[160];
  int is_temporary = name == NULL || name[0] == '#';
  if (source->type == ARG_GLOBAL || source->type == ARG_LOCAL) {
    const CS_VARIABLE *variable = (const CS_VARIABLE *)source->argPtr;
    type = variable != NULL && variable->varType != NULL ? variable->varType->varTypeName[0] : '?';
  } else if (source->type == ARG_STRING) {
    type = 'S';
  }
  int is_named = source->type != ARG_CONSTANT && source->type != ARG_STRING && !is_temporary;
  int length = snprintf(text, sizeof text, "%.40s", is_named ? name : "");
  const char *equals = is_named ? " = " : "";
  if (value == NULL) type = '?';
  if (type == 'i' || type == 'k' || type == 'b' || type == 'r' || type == 'p' || type == 'c')
    snprintf(text + length, sizeof text - (size_t)length, "%s%.9g", equals, *(const MYFLT *)value);
  else if (type == 'a')
    snprintf(text + length, sizeof text - (size_t)length, "%s%.9g at frame %u", equals,
             ((const MYFLT *)value)[offset], (unsigned)offset);
  else if (type == 'S' && ((const STRINGDAT *)value)->data != NULL)
    snprintf(text + length, sizeof text - (size_t)length, "%s\"%.40s\"", equals, ((const STRINGDAT *)value)->data);
  else if (!is_named)
    snprintf(text, sizeof text, "one of type %c", type);
  for (char *next = text; *next != 0; next++)
    if (*next == '\n' || *next == '\t') *next = ' ';
  ccs_say(text);
}

// Prints " Inputs: ain = 0.5 at frame 0, 1000." for the opcode of this pass.
static inline void ccs_say_inputs(void) {
  const OPDS *block = ccs_this_pass()->block;
  const TEXT *call = &block->optext->t;
  if (call->inlist == NULL || call->inlist->count == 0) return;
  int outputs = call->outlist != NULL ? call->outlist->count : 0, places = 0;
  // An output that the call leaves out has a place, too.
  for (const char *type = call->oentry->outypes; type != NULL && *type != 0; type++) {
    if (*type == ':') type += strcspn(type, ";");
    if (*type != '[' && *type != ']' && strchr("mzXNFI*", *type) == NULL) places++;
    if (*type == 0) break;
  }
  const void *const *values = (const void *const *)(block + 1) + (places > outputs ? places : outputs);
  const ARG *source = call->inArgs;
  ccs_say(" Inputs: ");
  for (int i = 0; i < call->inlist->count && source != NULL; i++, source = source->next) {
    if (i == 8) {
      ccs_say(", ...");
      break;
    }
    if (i > 0) ccs_say(", ");
    ccs_say_input(call->inlist->arg[i], source, values[i], block->insdshead->ksmps_offset);
  }
  ccs_say(".");
}

// Ends the line with the places in this library that the thread is at: " At /path/libechoes.so+0x1234+0x5678". The tool
// prints the line of the source instead. `trap` is the instruction that trapped, or NULL.
static inline void ccs_say_place(const void *trap) {
  struct ccs_library_info own, info;
  void *frames[32];
  int count = backtrace(frames, 32), is_first = 1;
  char text[32];
  if (ccs_find_library((const void *)&ccs_module_info, &own) != 0 && own.path != NULL) {
    for (int i = trap != NULL ? -1 : 0; i < count; i++) {
      // A return address is behind the call.
      const char *address = i < 0 ? (const char *)trap : (const char *)frames[i] - 1;
      if (ccs_find_library(address, &info) == 0 || info.base != own.base) continue;
      if (is_first) {
        ccs_say(" At ");
        ccs_say(own.path);
      }
      is_first = 0;
      snprintf(text, sizeof text, "+0x%zx", (size_t)(address - (const char *)own.base));
      ccs_say(text);
    }
  }
  ccs_say("\n");
}

static inline struct sigaction *ccs_old_action(int signal) {
  static struct sigaction actions[2];
  return &actions[signal == SIGILL ? 0 : 1];
}

static inline void ccs_trapped(int signal, siginfo_t *information, void *context) {
  (void)context;
  if (ccs_this_pass()->block != NULL) {
    ccs_say_pass();
    ccs_say("Swift stopped it: NaN, infinity or a number out of range made an Int (use Math.whole), an"
            " overflow, a division by 0 or an index out of range.");
    ccs_say_inputs();
    ccs_say_place(information->si_addr);
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
    action.sa_sigaction = ccs_trapped;
    action.sa_flags = SA_SIGINFO;
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
  snprintf(text, sizeof text, "index %ld is outside %s, of which there are %ld.", (long)index, what, (long)count);
  ccs_say_pass();
  ccs_say(text);
  if (ccs_this_pass()->block != NULL) ccs_say_inputs();
  ccs_say_place(NULL);
  abort();
}

#endif

#endif
