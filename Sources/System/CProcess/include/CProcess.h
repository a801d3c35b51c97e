// Processes, as far as Swift's own modules have no words for it: starting one, the last words of one
// that crashes, and what became of its output.
#ifndef OPCODEKIT_CPROCESS_H
#define OPCODEKIT_CPROCESS_H

#include <stdio.h>
#include <sys/types.h>

// Starts a program as the leader of a process group of its own, in a directory, or in ours where that
// is NULL. Of our open files it gets these three as its standard ones, /dev/null for -1; signals have
// their default meaning in it, whatever they have here. Returns 0 or an error of errno.h.
int process_start(pid_t *number, const char *program, char *const arguments[],
                  char *const environment[], const char *directory, const int descriptors[3]);

// From now on a signal that ends this process for a fault in its code writes a line to the file
// descriptor first: "crash", a tab, what was under way, a tab, the library that was executing, a tab, the
// last line of standard error. What is not known is empty.
void crash_report_to(int descriptor);

// Makes standard error a file in memory, of 64 KB at most; false where that cannot be done.
int crash_keep_errors(void);

// Forgets what was written to standard error until now.
void crash_forget_errors(void);

// Says what is under way from now on, NULL for nothing; returns what was before. The text must stay.
const char *crash_under_way(const char *work);

// Whether something that was printed could not be written to standard output.
static inline int process_lost_output(void) { return ferror(stdout); }

#endif
