// liblo as a Swift module.
#ifndef OPCODEKIT_CLO_H
#define OPCODEKIT_CLO_H

#include <lo/lo.h>

#endif
