// Linux's Landlock, with which a process gives up rights; libc has no functions for its system calls.
#ifndef OPCODEKIT_CLANDLOCK_H
#define OPCODEKIT_CLANDLOCK_H

// The version of the kernel's Landlock: 1 from Linux 5.13 on, higher in newer kernels, 0 without Landlock.
int landlock_version(void);

// Makes rules that allow nothing: no file may be opened, changed or executed; from version 4 on no TCP; from
// version 6 on no signals and no abstract sockets to other processes. Returns a file descriptor for the
// rules, or -1 with errno set without Landlock.
int landlock_rules(void);

// Allows reading a file, or all files below a directory. If `follows` is 0, a symbolic link is an error.
// Returns 0 or -1 with errno set, as do the next two functions.
int landlock_allow_reading(int rules, const char *path, int follows);

// Allows reading and writing a file or a device.
int landlock_allow_device(int rules, const char *path);

// Allows everything with files below a directory except executing them.
int landlock_allow_changing(int rules, const char *directory);

// Applies the rules to this process from now on: to all its threads and to everything they start. Existing
// threads are interrupted by a signal for this. Returns 0 or -1 with errno set; after -1 the rules may apply
// to some of the threads.
int landlock_restrict_process(int rules);

// The same for the calling thread alone, and for what it starts.
int landlock_restrict_thread(int rules);

// Allows reading and executing a file.
int landlock_allow_executing(int rules, const char *path);

#endif
