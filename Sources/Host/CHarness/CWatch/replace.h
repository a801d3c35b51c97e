// Replaces functions that libraries call.
#ifndef OPCODEKIT_CWATCH_REPLACE_H
#define OPCODEKIT_CWATCH_REPLACE_H

#include "CElf.h"

// Replaces them in all loaded libraries; with `spares_swift`, not in those of the Swift runtime.
void watch_replace(const struct celf_replacement *table, int spares_swift);

#endif
