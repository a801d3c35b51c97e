// libsndfile as a Swift module.
#include <sndfile.h>
