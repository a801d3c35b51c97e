// A plugin that registers one opcode for each fault `opcodekit lint` knows, and opcodes that have none,
// which begin with CLEAN. LintTests.swift says which fault is where. It is linted, never performed.

#include <csound/csdl.h>

extern int csoundAppendOpcode(CSOUND *, const char *, int, int, int, const char *, const char *, SUBR,
                              SUBR, SUBR);

static int init(CSOUND *csound, void *block) { return block == csound; }
static int perform(CSOUND *csound, void *block) { return block != csound; }
static int audio(CSOUND *csound, void *block) { return block == csound ? 2 : 3; }

enum { pointers_4 = 48 + 4 * 8, pointers_100 = 48 + 100 * 8, pointers_all = 48 + 2100 * 8 };

struct entry {
  const char *name;
  int bytes, thread;
  const char *outputs, *inputs;
  SUBR functions[3];
};

#define NAME_20 "LLLLLLLLLLLLLLLLLLLL"
#define NAME_79 NAME_20 NAME_20 NAME_20 "LLLLLLLLLLLLLLLLLLL"

static const struct entry members[] = {
    {"CLEAN.i", pointers_4, 1, "i", "i", {init}},
    {"CLEAN.k", pointers_4, 3, "k", "k", {init, perform}},
    {"CLEAN.a", pointers_4, 3, "a", "a", {init, perform}},
    {"CLEANOPTIONAL", pointers_4, 3, "k", "koO", {init, perform}},
    {"CLEANVARIADIC", pointers_100, 3, "a", "ioy", {init, perform}},
    {"CLEANREPEATED", pointers_100, 3, "amm", "iNN", {init, perform}},
    {"CLEANARRAY", pointers_4, 3, "k[][]", "k[].[]", {init, perform}},
    {"CLEANSAME", pointers_4, 3, "a", "a", {init, perform, perform}},
    {"CLEANTHREAD", pointers_4, 7, "a", "a", {init, perform}},
    {"CLEANTHREADLESS", pointers_4, 0, "k", "k", {NULL, perform}},
    {"CLEANTHREE", 48 + 3 * 8, 3, "k", "kk", {init, perform}},
    {"CLEANLARGEST", 65528, 3, "k", "k", {init, perform}},
    // Csound's parser knows the name from the smaller overload.
    {"PAIR.large", 65532, 3, "k", "k", {init, perform}},
    {"PAIR.small", pointers_4, 3, "k", "S", {init, perform}},
    // As Csound 5 had it in front of overloads.
    {"CLEANHEAD", 65535, 0, NULL, NULL, {NULL}},
    {"CLEANHEAD.k", pointers_4, 3, "k", "k", {init, perform}},
    {"CLEANSPECIAL.k", pointers_4, 3, "a", "ak", {init, perform}},
    {"CLEANSPECIAL.x", pointers_4, 3, "a", "ax", {init, perform}},
    {"_CLEAN", pointers_4, 3, "k", "k", {init, perform}},
    {"CLEAN.two.dots", pointers_4, 3, "k", "S", {init, perform}},
    {NAME_79, pointers_4, 3, "k", "k", {init, perform}},
    {NAME_79 "L", pointers_4, 3, "", "k", {init, perform}},
    {"##add", pointers_4, 3, "w", "ww", {init, perform}},
    {"oscil.CLEAN", pointers_4, 3, "a", "SS", {init, perform}},
    {"SHARED", pointers_4, 3, "k", "k", {init, perform}},

    {"while", pointers_4, 3, "k", "k", {init, perform}},
    {"3D", pointers_4, 3, "k", "k", {init, perform}},
    {"NAME-DASH", pointers_4, 3, "k", "k", {init, perform}},
    {"", pointers_4, 3, "k", "k", {init, perform}},
    {NAME_79 "O", pointers_4, 3, "k", "k", {init, perform}},

    {"TYPEIN", pointers_4, 3, "k", "kQ", {init, perform}},
    {"TYPEOUT", pointers_4, 3, "o", "k", {init, perform}},
    {"TYPEARRAY", pointers_4, 3, "k", "x[]", {init, perform}},
    {"BRACKETIN", pointers_4, 3, "k", "k[", {init, perform}},
    {"BRACKETOUT", pointers_4, 3, "k]", "k", {init, perform}},
    {"OPTIONALFIRST", pointers_4, 3, "k", "oi", {init, perform}},
    {"AFTERIN", pointers_100, 3, "k", "mk", {init, perform}},
    {"AFTEROUT", pointers_100, 3, "mk", "k", {init, perform}},

    {"LARGE", 70000, 3, "k", "k", {init, perform}},
    // Its name is known, its block is cut all the same.
    {"LARGEPAIR.large", 65536 + 80, 3, "k", "k", {init, perform}},
    {"LARGEPAIR.small", pointers_4, 3, "k", "S", {init, perform}},
    {"UNNAMED", 65531, 3, "k", "k", {init, perform}},
    {"SMALL", 48 + 2 * 8, 3, "k", "kk", {init, perform}},
    {"SMALLOPTIONAL", 48 + 2 * 8, 3, "k", "ko", {init, perform}},
    {"SMALLVARIADIC", 48 + 3 * 8, 3, "k", "kz", {init, perform}},
    {"ROOM", pointers_4, 3, "k", "z", {init, perform}},
    {"ROOMOUT", pointers_4, 3, "mm", "k", {init, perform}},
    {"ODD", 101, 3, "k", "k", {init, perform}},

    {"IDLEPERFORM", pointers_4, 1, "k", "k", {init, perform}},
    {"IDLEINIT", pointers_4, 2, "k", "k", {init, perform}},
    {"IDLEAUDIO", pointers_4, 3, "a", "a", {init, perform, audio}},
    {"IDLECSOUND5", pointers_4, 5, "a", "a", {init, NULL, audio}},
    {"IDLEHARMLESS", pointers_4, 3, "k", "k", {init, perform, audio}},
    {"NULLINIT", pointers_4, 3, "k", "k", {NULL, perform}},
    {"NULLPERFORM", pointers_4, 3, "k", "k", {init}},
    {"NULLTHREADLESS", pointers_4, 0, "", "k", {NULL}},

    {"TWICE.first", pointers_4, 3, "k", "k", {init, perform}},
    {"TWICE.second", pointers_4, 3, "k", "k", {init, audio}},
    {"AGAIN", pointers_4, 3, "k", "k", {init, perform}},
    {"AGAIN", pointers_4, 3, "k", "k", {init, perform}},
    {"moogladder", pointers_100, 3, "a", "akko", {init, perform}},
    {"moogladder2.PARTLY", pointers_100, 3, "a", "akkoz", {init, perform}},
    {"HIDDEN.k", pointers_4, 3, "a", "k", {init, perform}},
    {"HIDDEN.i", pointers_4, 3, "a", "i", {init, perform}},
    {"OVERLAP.ki", pointers_4, 3, "a", "ki", {init, perform}},
    {"OVERLAP.ik", pointers_4, 3, "a", "ik", {init, perform}},
    {"MIXED.some", pointers_4, 3, "k", "k", {init, perform}},
    {"MIXED.none", pointers_4, 3, "", "kk", {init, perform}},
    {"MIXED.third", pointers_4, 3, "", "kkk", {init, perform}},
    {"oscili.MIXED", pointers_4, 3, "", "SS", {init, perform}},
    {"ORDER.k", pointers_4, 3, "k", "k", {init, perform}},
    {"ORDER.i", pointers_4, 1, "i", "i", {init}},
};

static const struct entry exported[] = {
    {"CLEANEXPORTED", pointers_4, 3, "k", "k", {init, perform}},
    {"LARGEEXPORTED", 70000, 3, "k", "k", {init, perform}},
};

static const OENTRY list[] = {
    {"CLEANLIST", pointers_4, 0, 3, "k", "k", init, perform},
    {"NULLINIT.list", pointers_4, 0, 3, "S", "k", NULL, perform},
    {NULL},
};

typedef int (*append_function)(CSOUND *, const char *, int, int, int, const char *, const char *, SUBR,
                               SUBR, SUBR);

static void add(CSOUND *csound, const struct entry *entry, append_function append) {
  append(csound, entry->name, entry->bytes, 0, entry->thread, entry->outputs, entry->inputs,
         entry->functions[0], entry->functions[1], entry->functions[2]);
}

int csoundModuleCreate(CSOUND *csound) { return csound == NULL; }

int csoundModuleInit(CSOUND *csound) {
  for (size_t i = 0; i < sizeof members / sizeof *members; i++)
    add(csound, &members[i], csound->AppendOpcode);
  for (size_t i = 0; i < sizeof exported / sizeof *exported; i++)
    add(csound, &exported[i], csoundAppendOpcode);
  csound->AppendOpcodes(csound, list, 0);
  return 0;
}

int csoundModuleInfo(void) {
  return (CS_APIVERSION << 16) + (CS_APISUBVER << 8) + (int)sizeof(MYFLT);
}
