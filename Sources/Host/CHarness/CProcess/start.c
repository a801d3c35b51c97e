#define _GNU_SOURCE
#include "CProcess.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>

int process_start(pid_t *number, const char *program, char *const arguments[],
                  char *const environment[], const char *directory, const int descriptors[3]) {
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  sigset_t none, all;
  int error = posix_spawn_file_actions_init(&files);
  if (error != 0) return error;
  for (int i = 0; i < 3 && error == 0; i++) {
    error = descriptors[i] < 0
                ? posix_spawn_file_actions_addopen(&files, i, "/dev/null", O_RDWR, 0)
                : posix_spawn_file_actions_adddup2(&files, descriptors[i], i);
  }
  if (error == 0) error = posix_spawn_file_actions_addclosefrom_np(&files, 3);
  if (error == 0 && directory != NULL) {
    error = posix_spawn_file_actions_addchdir_np(&files, directory);
  }
  if (error == 0) error = posix_spawnattr_init(&attributes);
  if (error == 0) {
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes,
                             POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    error = posix_spawn(number, program, &files, &attributes, arguments, environment);
    posix_spawnattr_destroy(&attributes);
  }
  posix_spawn_file_actions_destroy(&files);
  return error;
}
