// Linux's Landlock, by which a process gives up the right to change files; libc has no functions for
// its system calls.
#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static inline int landlock_allow(int rules, const char *path, unsigned long long rights) {
  struct landlock_path_beneath_attr rule = {.allowed_access = rights,
                                            .parent_fd = open(path, O_RDONLY | O_CLOEXEC)};
  if (rule.parent_fd < 0) return -1;
  int status = syscall(__NR_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
  close(rule.parent_fd);
  return status;
}

// Whether the kernel can do what follows: Linux from 5.13 on, if it was built with Landlock.
static inline int landlock_is_there(void) {
  return syscall(__NR_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION) > 0;
}

// From now on this thread, and what it starts, can make, write and remove files below `directory`
// only, and write to devices. -1 where that cannot be done; then nothing has changed.
static inline int landlock_write_only_below(const char *directory) {
  unsigned long long writing = LANDLOCK_ACCESS_FS_WRITE_FILE;
  unsigned long long changing =
      writing | LANDLOCK_ACCESS_FS_REMOVE_DIR | LANDLOCK_ACCESS_FS_REMOVE_FILE |
      LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG |
      LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO | LANDLOCK_ACCESS_FS_MAKE_BLOCK |
      LANDLOCK_ACCESS_FS_MAKE_SYM;
  struct landlock_ruleset_attr handled = {.handled_access_fs = changing};
  int rules = syscall(__NR_landlock_create_ruleset, &handled, sizeof handled, 0);
  if (rules < 0) return -1;
  int status = landlock_allow(rules, directory, changing) || landlock_allow(rules, "/dev", writing) ||
                       prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
                       syscall(__NR_landlock_restrict_self, rules, 0)
                   ? -1
                   : 0;
  close(rules);
  return status;
}
