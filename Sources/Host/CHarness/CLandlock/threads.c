// Landlock restricts single threads. Here all threads are restricted, because a piece's code could otherwise
// use an unrestricted one.
#define _GNU_SOURCE
#include "CLandlock.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { most_threads = 256, most_milliseconds = 5000 };

static int held_rules;
static atomic_int answers, failures;

int landlock_restrict_thread(int rules) {
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
                 syscall(__NR_landlock_restrict_self, rules, 0) != 0
             ? -1
             : 0;
}

static void hold(int number) {
  (void)number;
  int error = errno;
  if (landlock_restrict_thread(held_rules) != 0) atomic_fetch_add(&failures, 1);
  atomic_fetch_add(&answers, 1);
  errno = error;
}

static int wait_for_answers(int count) {
  const struct timespec millisecond = {.tv_nsec = 1000000};
  for (int waited = 0; atomic_load(&answers) < count; waited++) {
    if (waited == most_milliseconds) {
      errno = ETIMEDOUT;
      return -1;
    }
    nanosleep(&millisecond, NULL);
  }
  return 0;
}

// Signals each thread that is neither this one nor among `held` to restrict itself, adds it to `held`, and
// waits for their answers. Returns the number of threads added, or -1.
static int hold_more(pid_t *held, int count, int number) {
  DIR *threads = opendir("/proc/self/task");
  if (threads == NULL) return -1;
  int asked = 0;
  struct dirent *entry;
  while ((entry = readdir(threads)) != NULL && count + asked < most_threads) {
    pid_t thread = (pid_t)atoi(entry->d_name);
    int is_known = thread <= 0 || thread == (pid_t)syscall(__NR_gettid);
    for (int i = 0; i < count + asked; i++) is_known |= held[i] == thread;
    if (is_known) continue;
    // The signal fails for a thread that has ended meanwhile, which needs no restriction.
    if (syscall(__NR_tgkill, getpid(), thread, number) == 0) held[count + asked++] = thread;
  }
  closedir(threads);
  return wait_for_answers(count + asked) == 0 ? asked : -1;
}

int landlock_restrict_process(int rules) {
  pid_t held[most_threads];
  struct sigaction action, before;
  const int number = SIGRTMAX - 1;
  memset(&action, 0, sizeof action);
  action.sa_handler = hold;
  action.sa_flags = SA_RESTART;
  held_rules = rules;
  atomic_store(&answers, 0);
  atomic_store(&failures, 0);
  if (sigaction(number, &action, &before) != 0) return -1;
  // Repeated until no new thread is found, because a thread may create others before it is restricted.
  int count = 0, asked;
  while ((asked = hold_more(held, count, number)) > 0) count += asked;
  sigaction(number, &before, NULL);
  if (asked < 0 || count == most_threads || atomic_load(&failures) > 0) return -1;
  return landlock_restrict_thread(rules);
}
