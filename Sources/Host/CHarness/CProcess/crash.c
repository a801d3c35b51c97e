#define _GNU_SOURCE
#include "CProcess.h"

#include "Registers.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static _Atomic(const char *) under_way;
static int descriptor = -1;
static atomic_flag has_reported = ATOMIC_FLAG_INIT;

const char *crash_under_way(const char *work) {
  return atomic_exchange_explicit(&under_way, work, memory_order_relaxed);
}

static void say(const char *text) {
  // An error here cannot be reported.
  if (write(descriptor, text, strlen(text)) < 0) return;
}

enum { kept_errors = 64 * 1024 };
static int keeps_errors;

int crash_keep_errors(void) {
  int file = memfd_create("stderr", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (file < 0) return 0;
  // Sealed, so that the file cannot grow, whatever a plugin prints.
  keeps_errors = ftruncate(file, kept_errors) == 0 &&
                 fcntl(file, F_ADD_SEALS, F_SEAL_GROW | F_SEAL_SHRINK) == 0 && dup2(file, STDERR_FILENO) >= 0;
  close(file);
  return keeps_errors;
}

void crash_forget_errors(void) {
  if (keeps_errors) lseek(STDERR_FILENO, 0, SEEK_SET);
}

// Writes "+0x1f4a".
static void say_offset(size_t offset) {
  char text[2 + 2 + 2 * sizeof offset];
  char *next = text + sizeof text;
  *--next = 0;
  do {
    *--next = "0123456789abcdef"[offset & 15];
    offset >>= 4;
  } while (offset != 0);
  say("+0x");
  say(next);
}

static void say_last_error(void) {
  char text[2048];
  off_t end = keeps_errors ? lseek(STDERR_FILENO, 0, SEEK_CUR) : 0;
  off_t start = end > (off_t)sizeof text ? end - (off_t)sizeof text : 0;
  ssize_t length = end > 0 ? pread(STDERR_FILENO, text, (size_t)(end - start), start) : 0;
  if (length > 0 && text[length - 1] == '\n') length--;
  if (length <= 0) return;
  const char *before = memrchr(text, '\n', (size_t)length);
  const char *line = before != NULL ? before + 1 : text;
  if (write(descriptor, line, (size_t)(text + length - line)) < 0) return;
}

// Writes the library that an instruction is in, and where there.
static void say_library(const void *instruction) {
  Dl_info place;
  if (dladdr(instruction, &place) == 0 || place.dli_fname == NULL) return;
  say(place.dli_fname);
  say_offset((size_t)((const char *)instruction - (const char *)place.dli_fbase));
}

static int is_of_system(const Dl_info *place) {
  const char *slash = place->dli_fname != NULL ? strrchr(place->dli_fname, '/') : NULL;
  return slash != NULL && (strncmp(slash, "/libc.so", 8) == 0 || strncmp(slash, "/libm.so", 8) == 0);
}

// Writes where a thread that hangs is: the innermost library other than the C library, and the calls within it.
static void say_calls(const void *instruction) {
  enum { most = 64 };
  void *frames[most];
  int count = backtrace(frames, most), next = 0;
  while (next < count && frames[next] != instruction) next++;
  Dl_info first, place;
  for (; next < count; next++)
    if (dladdr(frames[next], &first) != 0 && !is_of_system(&first)) break;
  if (next >= count) {
    say_library(instruction);
    return;
  }
  // A return address is behind the call.
  say_library((const char *)frames[next] - (frames[next] != instruction));
  while (++next < count && dladdr(frames[next], &place) != 0 && place.dli_fbase == first.dli_fbase)
    say_offset((size_t)((const char *)frames[next] - 1 - (const char *)place.dli_fbase));
}

static void report(int number, siginfo_t *information, void *context) {
  (void)information;
  // Another such signal, in this handler or on another thread, ends the process.
  signal(number, SIG_DFL);
  if (!atomic_flag_test_and_set(&has_reported)) {
    const char *work = atomic_load_explicit(&under_way, memory_order_relaxed);
    say("crash\t");
    say(work != NULL ? work : "");
    say("\t");
    const void *instruction = cv_instruction(&((ucontext_t *)context)->uc_mcontext);
    if (number == CRASH_ASKED)
      say_calls(instruction);
    else
      say_library(instruction);
    say("\t");
    say_last_error();
    say("\n");
  }
  raise(number);
}

void crash_report_to(int new_descriptor) {
  // A separate stack for the handler, because the crash may be a stack overflow.
  static _Alignas(16) char memory[64 * 1024];
  stack_t stack = {.ss_sp = memory, .ss_size = sizeof memory};
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = report;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  descriptor = new_descriptor;
  // Loads what it needs, for which a handler of signals is no place.
  void *frame;
  backtrace(&frame, 1);
  sigaltstack(&stack, NULL);
  const int numbers[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT, CRASH_ASKED};
  for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    sigaction(numbers[i], &action, NULL);
  }
}
