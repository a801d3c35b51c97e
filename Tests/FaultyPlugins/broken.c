// Plugins that do not get as far as registering properly; `BEHAVIOUR` says how.

#include <csound/csdl.h>
#include <stdlib.h>
#include <unistd.h>

#define returns_1_from_create 1
#define returns_1_from_init 2
#define crashes 3
#define hangs 4
#define exits 5
#define is_for_floats 6
#define is_for_another_version 7
#define has_a_table_beside_create 8
#define has_init_without_create 9
#define has_no_list_of_gens 10
#define has_no_table 11
#define is_for_any_size 12
#define says_no_version 13

#define HAS_CREATE (BEHAVIOUR != has_init_without_create && BEHAVIOUR < has_no_list_of_gens)

#if HAS_CREATE
int csoundModuleCreate(CSOUND *csound) {
  return csound != NULL && BEHAVIOUR == returns_1_from_create;
}
#endif

#if HAS_CREATE || BEHAVIOUR == has_init_without_create
static int init(CSOUND *csound, void *block) { return block == csound; }

int csoundModuleInit(CSOUND *csound) {
  csound->AppendOpcode(csound, "BEFORE", 72, 0, 1, "i", "i", init, NULL, NULL);
  if (BEHAVIOUR == crashes) abort();
  if (BEHAVIOUR == exits) exit(3);
  while (BEHAVIOUR == hangs) sleep(1);
  return BEHAVIOUR == returns_1_from_init;
}
#endif

#if BEHAVIOUR >= has_a_table_beside_create
int64_t csound_opcode_init(CSOUND *csound, OENTRY **table) {
  *table = NULL;
  return csound != NULL && BEHAVIOUR == has_no_table ? 64 : 0;
}
#endif

#if BEHAVIOUR == has_no_list_of_gens
NGFENS *csound_fgen_init(CSOUND *csound) {
  (void)csound;
  return NULL;
}
#endif

#if BEHAVIOUR != says_no_version
int csoundModuleInfo(void) {
  int size = BEHAVIOUR == is_for_floats ? 4 : BEHAVIOUR == is_for_any_size ? 0 : (int)sizeof(MYFLT);
  int version = CS_APIVERSION + (BEHAVIOUR == is_for_another_version);
  return (version << 16) + (CS_APISUBVER << 8) + size;
}
#endif
