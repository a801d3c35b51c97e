// A plugin with a table of opcodes and named GEN routines, some of them faulty; see module.c.

#include <csound/csdl.h>

static int init(CSOUND *csound, void *block) { return block == csound; }
static int perform(CSOUND *csound, void *block) { return block != csound; }

enum { pointers_4 = 48 + 4 * 8 };

static OENTRY opcodes[] = {
    {"CLEANTABLE.i", pointers_4, 0, 1, "i", "i", init},
    {"CLEANTABLE.k", pointers_4, 0, 3, "k", "k", init, perform},
    {"SHARED", pointers_4, 0, 3, "k", "k", init, perform},
    {"UNNAMED", 65531, 0, 3, "k", "k", init, perform},
    {"NULLPERFORM", pointers_4, 0, 3, "k", "k", init},
    {"TWICE", pointers_4, 0, 3, "k", "k", init, perform},
    {"TWICE", pointers_4, 0, 2, "k", "k", NULL, perform},
    {NULL},
    {"CLEANBEHINDTHEEND", 0, 0, 3, "k", "k"},
};

static int fill(FGDATA *request, FUNC *table) { return request == NULL || table == NULL; }
static NGFENS generators[] = {{"lintfirst", fill}, {"lintsecond", fill}, {NULL, NULL}};

int64_t csound_opcode_init(CSOUND *csound, OENTRY **table) {
  *table = opcodes;
  return csound == NULL ? -1 : (int64_t)sizeof opcodes;
}

NGFENS *csound_fgen_init(CSOUND *csound) { return csound == NULL ? NULL : generators; }
