#define _GNU_SOURCE
#include "CWatch.h"

#include "CElf.h"
#include "Registers.h"
#include "replace.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <malloc.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static __thread int watching;
static __thread volatile char selector;
static struct watch_report report;
static struct watch_heap heap;
static int marks_heap;

static void note(struct watched *kind, const char *function, long number, const void *caller) {
  if (kind->count++ > 0) return;
  kind->function = function;
  kind->number = number;
  kind->caller = caller;
}

#define NOTE(kind, function)                                                                       \
  if (watching) note(&report.kind, function, 0, __builtin_return_address(0))

// ---- The heap: every block is followed by a pattern, and its last word holds the requested size.

enum { margin = 24 };
static const uint64_t seal = 0x5EA1ED00C0DEB10Cu;
static const unsigned char pattern = 0xA5;

static uint64_t *last_word(void *block, size_t usable) {
  return (uint64_t *)((char *)block + ((usable - 8) & ~(size_t)7));
}

static void *mark(void *block, size_t size) {
  if (block == NULL) return NULL;
  size_t usable = malloc_usable_size(block);
  uint64_t *word = last_word(block, usable);
  memset((char *)block + size, pattern, (size_t)((char *)word - (char *)block) - size);
  *word = size ^ seal ^ (uint64_t)(uintptr_t)block;
  __atomic_add_fetch(&heap.blocks, 1, __ATOMIC_RELAXED);
  __atomic_add_fetch(&heap.bytes, (int64_t)size, __ATOMIC_RELAXED);
  return block;
}

// Checks and uncounts a block that is about to be freed or moved.
static void unmark(void *block, const void *caller) {
  if (block == NULL) return;
  size_t usable = malloc_usable_size(block);
  uint64_t *word = last_word(block, usable);
  size_t size = *word ^ seal ^ (uint64_t)(uintptr_t)block;
  size_t room = (size_t)((char *)word - (char *)block);
  // The block is not marked, or its last word is overwritten. A large block has its own pages and up to one page of
  // room after the requested size, so only a size beyond the room is implausible.
  if (size > room) return;
  *word = 0;
  __atomic_sub_fetch(&heap.blocks, 1, __ATOMIC_RELAXED);
  __atomic_sub_fetch(&heap.bytes, (int64_t)size, __ATOMIC_RELAXED);
  for (unsigned char *byte = (unsigned char *)block + size; byte < (unsigned char *)word; byte++) {
    if (*byte == pattern) continue;
    if (heap.overruns++ == 0) {
      heap.size = size;
      heap.caller = caller;
    }
    return;
  }
}

// The original functions. Their addresses are taken before they are replaced, which may happen in this program, too.
static struct {
  __typeof__(malloc) *malloc;
  __typeof__(calloc) *calloc;
  __typeof__(realloc) *realloc;
  __typeof__(free) *free;
  __typeof__(posix_memalign) *posix_memalign;
  __typeof__(aligned_alloc) *aligned_alloc;
  __typeof__(memalign) *memalign;
  __typeof__(pthread_mutex_lock) *pthread_mutex_lock;
  __typeof__(pthread_spin_lock) *pthread_spin_lock;
  __typeof__(pthread_rwlock_rdlock) *pthread_rwlock_rdlock;
  __typeof__(pthread_rwlock_wrlock) *pthread_rwlock_wrlock;
  __typeof__(pthread_cond_wait) *pthread_cond_wait;
  __typeof__(pthread_cond_timedwait) *pthread_cond_timedwait;
  __typeof__(sem_wait) *sem_wait;
  __typeof__(pthread_join) *pthread_join;
} original;

// The actual function for an address of a function of this name. If the program takes a function's address, the
// address may be a stub in the program (PLT), even for all libraries; the stub jumps through a slot that may be
// replaced.
static void *behind(void *address, const char *name) {
  Dl_info place;
  ElfW(Sym) *symbol = NULL;
  if (dladdr1(address, &place, (void **)&symbol, RTLD_DL_SYMENT) == 0 || symbol == NULL ||
      symbol->st_shndx != SHN_UNDEF)
    return address;
  // For functions with several versions, dlsym may return an old one. GLIBC_2.3.2 is the current version of the
  // functions for conditions.
  void *found = dlvsym(RTLD_NEXT, name, "GLIBC_2.3.2");
  return found ? found : dlsym(RTLD_NEXT, name);
}

#define KEEP(name) original.name = behind((void *)name, #name)

static void keep_originals(void) {
  KEEP(malloc);
  KEEP(calloc);
  KEEP(realloc);
  KEEP(free);
  KEEP(posix_memalign);
  KEEP(aligned_alloc);
  KEEP(memalign);
  KEEP(pthread_mutex_lock);
  KEEP(pthread_spin_lock);
  KEEP(pthread_rwlock_rdlock);
  KEEP(pthread_rwlock_wrlock);
  KEEP(pthread_cond_wait);
  KEEP(pthread_cond_timedwait);
  KEEP(sem_wait);
  KEEP(pthread_join);
}

static void *watched_malloc(size_t size) {
  NOTE(allocations, "malloc");
  return marks_heap ? mark(original.malloc(size + margin), size) : original.malloc(size);
}

static void *watched_calloc(size_t count, size_t size) {
  NOTE(allocations, "calloc");
  size_t bytes;
  if (!marks_heap || __builtin_mul_overflow(count, size, &bytes)) return original.calloc(count, size);
  return mark(original.calloc(1, bytes + margin), bytes);
}

static void *watched_realloc(void *block, size_t size) {
  NOTE(allocations, "realloc");
  if (!marks_heap || size == 0) return original.realloc(block, size);
  unmark(block, __builtin_return_address(0));
  return mark(original.realloc(block, size + margin), size);
}

static void watched_free(void *block) {
  NOTE(allocations, "free");
  if (marks_heap) unmark(block, __builtin_return_address(0));
  original.free(block);
}

static int watched_posix_memalign(void **block, size_t alignment, size_t size) {
  NOTE(allocations, "posix_memalign");
  return original.posix_memalign(block, alignment, size);
}

static void *watched_aligned_alloc(size_t alignment, size_t size) {
  NOTE(allocations, "aligned_alloc");
  if (!marks_heap) return original.aligned_alloc(alignment, size);
  return mark(original.aligned_alloc(alignment, size + margin), size);
}

static void *watched_memalign(size_t alignment, size_t size) {
  NOTE(allocations, "memalign");
  return original.memalign(alignment, size);
}

// ---- Locks: every function that can wait for another thread.

static int watched_mutex_lock(pthread_mutex_t *mutex) {
  NOTE(locks, "pthread_mutex_lock");
  return original.pthread_mutex_lock(mutex);
}

static int watched_spin_lock(pthread_spinlock_t *lock) {
  NOTE(locks, "pthread_spin_lock");
  return original.pthread_spin_lock(lock);
}

static int watched_read_lock(pthread_rwlock_t *lock) {
  NOTE(locks, "pthread_rwlock_rdlock");
  return original.pthread_rwlock_rdlock(lock);
}

static int watched_write_lock(pthread_rwlock_t *lock) {
  NOTE(locks, "pthread_rwlock_wrlock");
  return original.pthread_rwlock_wrlock(lock);
}

static int watched_condition_wait(pthread_cond_t *condition, pthread_mutex_t *mutex) {
  NOTE(locks, "pthread_cond_wait");
  return original.pthread_cond_wait(condition, mutex);
}

static int watched_timed_wait(
    pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *time) {
  NOTE(locks, "pthread_cond_timedwait");
  return original.pthread_cond_timedwait(condition, mutex, time);
}

static int watched_semaphore_wait(sem_t *semaphore) {
  NOTE(locks, "sem_wait");
  return original.sem_wait(semaphore);
}

static int watched_join(pthread_t thread, void **result) {
  NOTE(locks, "pthread_join");
  return original.pthread_join(thread, result);
}

static const struct celf_replacement memory[] = {
    {"malloc", watched_malloc},
    {"calloc", watched_calloc},
    {"realloc", watched_realloc},
    {"free", watched_free},
    {"posix_memalign", watched_posix_memalign},
    {"aligned_alloc", watched_aligned_alloc},
    {"memalign", watched_memalign},
    {NULL, NULL},
};

static const struct celf_replacement locks[] = {
    {"pthread_mutex_lock", watched_mutex_lock},
    {"pthread_spin_lock", watched_spin_lock},
    {"pthread_rwlock_rdlock", watched_read_lock},
    {"pthread_rwlock_wrlock", watched_write_lock},
    {"pthread_cond_wait", watched_condition_wait},
    {"pthread_cond_timedwait", watched_timed_wait},
    {"sem_wait", watched_semaphore_wait},
    {"pthread_join", watched_join},
    {NULL, NULL},
};

// ---- Replacing the originals

void watch_install_heap(void) {
  marks_heap = 1;
  keep_originals();
  watch_replace(memory, 1);
}

struct watch_heap watch_heap_result(void) { return heap; }

// ---- System calls: while the thread's selector is 1, the kernel sends SIGSYS instead (syscall user dispatch).

#ifndef PR_SET_SYSCALL_USER_DISPATCH
#define PR_SET_SYSCALL_USER_DISPATCH 59
#endif

static int sees_system_calls;

static void dispatch(int signal, siginfo_t *info, void *context) {
  (void)signal;
  // Further system calls until `watch_leave` are not intercepted, because returning from this handler is a system
  // call itself.
  selector = 0;
  mcontext_t *machine = &((ucontext_t *)context)->uc_mcontext;
  if (watching) note(&report.system_calls, NULL, info->si_syscall, cv_instruction(machine));
  int error = errno;
  long result = syscall(
      (long)*cv_call_register(machine, -1), *cv_call_register(machine, 0), *cv_call_register(machine, 1),
      *cv_call_register(machine, 2), *cv_call_register(machine, 3), *cv_call_register(machine, 4),
      *cv_call_register(machine, 5));
  *cv_result_register(machine) = (cv_register)(result == -1 ? -errno : result);
  errno = error;
}

void watch_install(void) {
  keep_originals();
  watch_replace(memory, 0);
  watch_replace(locks, 0);
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = dispatch;
  action.sa_flags = SA_SIGINFO;
  sees_system_calls = sigaction(SIGSYS, &action, NULL) == 0 &&
                      prctl(PR_SET_SYSCALL_USER_DISPATCH, 1, 0, 0, &selector) == 0;
}

void watch_install_program(void) {
  celf_replace_imports(_r_debug.r_map, memory);
  celf_replace_imports(_r_debug.r_map, locks);
}

int watch_sees_system_calls(void) { return sees_system_calls; }

void watch_enter(void) {
  watching = 1;
  selector = 1;
}

void watch_leave(void) {
  selector = 0;
  watching = 0;
}

struct watch_report watch_result(void) { return report; }
void watch_reset(void) { memset(&report, 0, sizeof report); }

const char *watch_library(const void *address) {
  Dl_info info;
  return dladdr(address, &info) != 0 ? info.dli_fname : NULL;
}

const char *watch_function(const void *address) {
  Dl_info info;
  return dladdr(address, &info) != 0 ? info.dli_sname : NULL;
}
