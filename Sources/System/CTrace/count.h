// Calls through places that Callgrind tells apart.
#ifndef OPCODEKIT_COUNT_H
#define OPCODEKIT_COUNT_H

#include <csound/csdl.h>

// What blocks call; they call `trace_perform` and `trace_initialize`.
int trace_counted_perform(CSOUND *csound, void *block);
int trace_counted_initialize(CSOUND *csound, void *block);

// Calls an opcode's own function for the record of this number.
int count_pass(size_t record, int is_init, SUBR function, CSOUND *csound, void *block);

#endif
