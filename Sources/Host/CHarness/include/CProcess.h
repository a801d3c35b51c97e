// Functions for processes that Swift's own modules lack: starting a program, the crash report of this
// process, and errors of standard output.
#ifndef OPCODEKIT_CPROCESS_H
#define OPCODEKIT_CPROCESS_H

#include <signal.h>
#include <stdio.h>
#include <sys/types.h>

// Starts a program as the leader of a new process group, in `directory`, or in the current directory if that
// is NULL. The three descriptors become its standard input, output and error, with /dev/null for -1; it
// inherits no other open file. Its signals are unblocked and have their default actions. Returns 0 or an
// error of errno.h.
int process_start(pid_t *number, const char *program, char *const arguments[],
                  char *const environment[], const char *directory, const int descriptors[3]);

// From now on, when this process crashes (SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT) or is sent CRASH_ASKED, it
// first writes a line to the file descriptor with four fields separated by tabs: "crash", the text of
// `crash_under_way`, the path of the library that was executing with the offset of the instruction ("PATH+0x1f4a"; with
// those of the calls that led there, if it was asked), and the last line of standard error. Unknown fields are empty.
void crash_report_to(int descriptor);

// The signal that ends a process that hangs and has it tell where. Its default effect writes no core file.
#define CRASH_ASKED SIGVTALRM

// Redirects standard error to a file in memory of at most 64 KB. Returns false if that is not possible.
int crash_keep_errors(void);

// Discards what has been written to standard error.
void crash_forget_errors(void);

// Sets the text of the work that is under way, for a crash report; NULL for none. Returns the previous text.
// The text is not copied and must stay valid.
const char *crash_under_way(const char *work);

// Whether writing to standard output has failed.
static inline int process_lost_output(void) { return ferror(stdout); }

#endif
