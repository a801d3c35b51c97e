// Linux's Landlock, by which a process gives up rights; libc has no functions for its system calls.
#ifndef OPCODEKIT_CLANDLOCK_H
#define OPCODEKIT_CLANDLOCK_H

// The version of the kernel's Landlock: 1 from Linux 5.13 on, 0 where there is none.
int landlock_version(void);

// Rules that allow nothing: no file to be opened, changed or executed; from version 4 on no TCP, from
// version 6 on no signals to other processes. Returns a file descriptor, -1 with errno set where there
// is no Landlock.
int landlock_rules(void);

// Allows to read a file, or all files below a directory; where `follows` is 0, not what a symbolic link
// names. Returns 0 or -1 with errno set.
int landlock_allow_reading(int rules, const char *path, int follows);

// Allows to read and write a file or a device.
int landlock_allow_device(int rules, const char *path);

// Allows to do anything with files below a directory but to execute them.
int landlock_allow_changing(int rules, const char *directory);

// From now on this process is held to the rules: all of its threads, and what they start. Those that are
// there are interrupted by a signal for it. Returns 0 or -1 with errno set; then some threads may be held.
int landlock_restrict_process(int rules);

#endif
