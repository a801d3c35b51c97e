#define _GNU_SOURCE
#include "CLandlock.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// Definitions that the headers of older kernels do not have.
#define ALLOW_TRUNCATE (1ULL << 14)
#define ALLOW_DEVICE_CONTROL (1ULL << 15)
struct attributes {
  uint64_t files, network, scope;
};

enum {
  reading = LANDLOCK_ACCESS_FS_READ_FILE,
  writing = LANDLOCK_ACCESS_FS_WRITE_FILE,
  reading_directories = reading | LANDLOCK_ACCESS_FS_READ_DIR,
  changing_directories =
      reading_directories | writing | LANDLOCK_ACCESS_FS_REMOVE_DIR |
      LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_DIR |
      LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO |
      LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM,
};

int landlock_version(void) {
  int version =
      (int)syscall(__NR_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
  return version > 0 ? version : 0;
}

// The rights on files that the kernel's Landlock supports beyond those of version 1.
static uint64_t newer_rights(void) {
  int version = landlock_version();
  return (version >= 2 ? LANDLOCK_ACCESS_FS_REFER : 0) | (version >= 3 ? ALLOW_TRUNCATE : 0);
}

int landlock_rules(void) {
  int version = landlock_version();
  struct attributes all = {
      .files = changing_directories | LANDLOCK_ACCESS_FS_EXECUTE | newer_rights() |
               (version >= 5 ? ALLOW_DEVICE_CONTROL : 0),
      .network = version >= 4 ? 3 : 0,  // to bind, to connect
      .scope = version >= 6 ? 3 : 0,    // abstract sockets, signals
  };
  size_t size = version >= 6 ? sizeof all : version >= 4 ? 16 : 8;
  return (int)syscall(__NR_landlock_create_ruleset, &all, size, 0);
}

static int allow(int rules, const char *path, int follows, uint64_t file, uint64_t directory) {
  int place = open(path, O_PATH | O_CLOEXEC | (follows ? 0 : O_NOFOLLOW));
  struct stat status;
  if (place < 0) return -1;
  int result = fstat(place, &status);
  if (result == 0 && S_ISLNK(status.st_mode)) {
    errno = ELOOP;
    result = -1;
  }
  if (result == 0) {
    struct landlock_path_beneath_attr rule = {
        .allowed_access = S_ISDIR(status.st_mode) ? directory : file, .parent_fd = place};
    result = (int)syscall(__NR_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
  }
  int error = errno;
  close(place);
  errno = error;
  return result;
}

int landlock_allow_reading(int rules, const char *path, int follows) {
  return allow(rules, path, follows, reading, reading_directories);
}

int landlock_allow_executing(int rules, const char *path) {
  return allow(rules, path, 1, reading | LANDLOCK_ACCESS_FS_EXECUTE, 0);
}

int landlock_allow_device(int rules, const char *path) {
  return allow(rules, path, 1, reading | writing, 0);
}

int landlock_allow_changing(int rules, const char *directory) {
  return allow(rules, directory, 1, 0, changing_directories | newer_rights());
}
