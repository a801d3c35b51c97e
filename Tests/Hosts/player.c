// Plays a piece so many times in one engine, which is reset in between, and writes all samples.
#include <csound/csound.h>
#include <stdio.h>
#include <stdlib.h>

int main(int count, char **words) {
  FILE *file = count == 4 ? fopen(words[2], "wb") : NULL;
  if (file == NULL) return 64;
  CSOUND *csound = csoundCreate(NULL);
  for (int left = atoi(words[3]); left > 0; left--) {
    csoundSetOption(csound, "-n");
    if (csoundCompileCsd(csound, words[1]) != 0 || csoundStart(csound) != 0) return 65;
    size_t samples = csoundGetKsmps(csound) * csoundGetNchnls(csound);
    while (csoundPerformKsmps(csound) == 0)
      fwrite(csoundGetSpout(csound), sizeof(MYFLT), samples, file);
    csoundReset(csound);
  }
  csoundDestroy(csound);
  return fclose(file);
}
