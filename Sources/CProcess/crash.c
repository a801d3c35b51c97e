#define _GNU_SOURCE
#include "CProcess.h"

#include "Registers.h"

#include <dlfcn.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

static _Atomic(const char *) under_way;
static int descriptor = -1;
static atomic_flag has_reported = ATOMIC_FLAG_INIT;

const char *crash_under_way(const char *work) {
  return atomic_exchange_explicit(&under_way, work, memory_order_relaxed);
}

static void say(const char *text) {
  // There is nobody to tell that nobody can be told.
  if (write(descriptor, text, strlen(text)) < 0) return;
}

static void report(int number, siginfo_t *information, void *context) {
  (void)information;
  // What happens again in here, or on another thread meanwhile, has its default meaning.
  signal(number, SIG_DFL);
  if (!atomic_flag_test_and_set(&has_reported)) {
    const char *work = atomic_load_explicit(&under_way, memory_order_relaxed);
    say("crash\t");
    say(work != NULL ? work : "");
    say("\t");
    const void *address = cv_instruction(&((ucontext_t *)context)->uc_mcontext);
    Dl_info place;
    if (dladdr(address, &place) != 0 && place.dli_fname != NULL) say(place.dli_fname);
    say("\n");
  }
  raise(number);
}

void crash_report_to(int new_descriptor) {
  // A stack of its own, as a crash can be one of the stack.
  static _Alignas(16) char memory[64 * 1024];
  stack_t stack = {.ss_sp = memory, .ss_size = sizeof memory};
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = report;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  descriptor = new_descriptor;
  sigaltstack(&stack, NULL);
  const int numbers[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT};
  for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    sigaction(numbers[i], &action, NULL);
  }
}
