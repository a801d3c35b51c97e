// libwebsockets as a Swift module, with constants for macros that Swift cannot import.
#ifndef OPCODEKIT_CWEBSOCKETS_H
#define OPCODEKIT_CWEBSOCKETS_H

#include <libwebsockets.h>

// The number of free bytes that lws_write needs before the data it writes.
enum { websockets_room = LWS_PRE };

static const uint64_t websockets_options = LWS_SERVER_OPTION_VALIDATE_UTF8;

static const uint64_t websockets_tls = LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT;

// A timer and its owner.
struct websockets_timer {
  lws_sorted_usec_list_t entry;
  void *owner;
};

#endif
