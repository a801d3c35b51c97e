// Calls through separate call sites, which Callgrind can distinguish.
#ifndef OPCODEKIT_COUNT_H
#define OPCODEKIT_COUNT_H

#include "Host.h"

// The functions that blocks call while instructions are counted. They call `trace_perform` and
// `trace_initialize`.
int trace_counted_perform(CSOUND *csound, void *block);
int trace_counted_initialize(CSOUND *csound, void *block);

// Calls an opcode's own function through the call site of a record, by the record's number.
int count_pass(size_t record, int is_init, SUBR function, CSOUND *csound, void *block);

#endif
