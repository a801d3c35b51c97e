// Plays an orchestra with the opcodes of a plugin while RealtimeSanitizer watches their performance
// passes, and nothing but those: Csound's own k-cycle locks.
//   host PLUGIN FILE.csd [CSOUND OPTION …]

// Before csdl.h, which hides what a host needs.
#include <csound/csound.h>

#include <csound/csdl.h>
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

typedef int (*Pass)(CSOUND *, void *);
typedef int64_t (*Register)(CSOUND *, OENTRY **);

// The opcodes of the plugin; `calls` counts all their passes.
static struct {
  const char *name;
  Pass perform;
} opcodes[1024];
static int count;
static long calls;

// The pass the plugin registered for a block's opcode.
static Pass original(OPDS *block) {
  const char *name = block->optext->t.oentry->opname;
  for (int index = 0; index < count; index++)
    if (strcmp(opcodes[index].name, name) == 0) return opcodes[index].perform;
  return NULL;
}

static int perform(CSOUND *csound, void *block) __attribute__((nonblocking)) {
  calls++;
  return original(block)(csound, block);
}

static int (*append)(CSOUND *, const char *, int, int, int, const char *, const char *, Pass, Pass,
                     Pass);

static int append_watched(CSOUND *csound, const char *name, int size, int flags, int thread,
                          const char *outputs, const char *inputs, Pass init, Pass control,
                          Pass audio) {
  if (control != NULL && count < (int)(sizeof opcodes / sizeof *opcodes)) {
    opcodes[count].name = name;
    opcodes[count++].perform = control;
    control = perform;
  }
  return append(csound, name, size, flags, thread, outputs, inputs, init, control, audio);
}

int main(int argc, const char **argv) {
  void *plugin = argc < 3 ? NULL : dlopen(argv[1], RTLD_NOW);
  Register enlist = plugin == NULL ? NULL : (Register)dlsym(plugin, "csound_opcode_init");
  if (enlist == NULL) return fprintf(stderr, "no plugin: %s\n", dlerror()), 2;
  csoundInitialize(CSOUNDINIT_NO_SIGNAL_HANDLER | CSOUNDINIT_NO_ATEXIT);
  CSOUND *csound = csoundCreate(NULL);
  OENTRY *table = NULL;
  append = csound->AppendOpcode;
  csound->AppendOpcode = append_watched;
  enlist(csound, &table);
  csound->AppendOpcode = append;
  csoundSetOption(csound, "-n");
  csoundSetOption(csound, "-m16");
  for (int index = 3; index < argc; index++) csoundSetOption(csound, argv[index]);
  if (csoundCompileCsd(csound, argv[2]) != 0 || csoundStart(csound) != 0) return 3;
  while (csoundPerformKsmps(csound) == 0) continue;
  printf("%ld passes\n", calls);
  csoundDestroy(csound);
  return 0;
}
