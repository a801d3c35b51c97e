// Functions in the place of those that libraries call.
#ifndef OPCODEKIT_CWATCH_REPLACE_H
#define OPCODEKIT_CWATCH_REPLACE_H

#include "CElf.h"

// In all libraries that are loaded, those of Swift where they are not spared.
void watch_replace(const struct celf_replacement *table, int spares_swift);

#endif
