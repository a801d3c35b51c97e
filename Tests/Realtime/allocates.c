// aout ALLOCATES ain, kunused: a copy of its input by way of memory it asks for in each pass.

#include <csound/csdl.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  OPDS h;
  MYFLT *output, *input, *unused;
} Block;

static int init(CSOUND *csound, Block *block) { return csound == NULL || block == NULL; }

static int perform(CSOUND *csound, Block *block) {
  size_t size = csound->GetKsmps(csound) * sizeof(MYFLT);
  // Volatile, or the compiler does without the memory.
  MYFLT *volatile copy = malloc(size);
  memcpy(copy, block->input, size);
  memcpy(block->output, copy, size);
  free(copy);
  return OK;
}

typedef int (*Pass)(CSOUND *, void *);

int64_t csound_opcode_init(CSOUND *csound, OENTRY **table) {
  *table = NULL;
  csound->AppendOpcode(csound, "ALLOCATES", sizeof(Block), 0, 3, "a", "ak", (Pass)init,
                       (Pass)perform, NULL);
  return 0;
}
