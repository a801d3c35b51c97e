// libqrencode as a Swift module.
#ifndef OPCODEKIT_CQRENCODE_H
#define OPCODEKIT_CQRENCODE_H

#include <qrencode.h>

#endif
