// getopt_long as a Swift module; its global variables are read through functions, because Swift
// refuses mutable globals it cannot protect.
#include <getopt.h>

static inline void getopt_restart(void) {
  optind = 0;
  opterr = 0;
}
static inline int getopt_index(void) { return optind; }
static inline const char *getopt_value(void) { return optarg; }
