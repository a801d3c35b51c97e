// A Faust program as an opcode: `faust -lang c -double -cn faust` writes the C code that this file includes.
//
//   -DFAUST_CODE="…"   the C code
//   -DFAUST_OPCODE="…" the opcode's name
//
// Outputs and inputs are audio signals; after them comes a k-rate input for each button, check box, slider and number
// entry, in the order of the program. A control keeps the value that the orchestra gives it, inside its range or not.
#define FAUSTFLOAT double
#include <csdl.h>
#include <stdlib.h>
#include <string.h>

enum { most_controls = 64, most_signals = 16 };

// What the C code calls to describe its controls.
typedef struct {
  void *uiInterface;
  void (*openTabBox)(void *, const char *);
  void (*openHorizontalBox)(void *, const char *);
  void (*openVerticalBox)(void *, const char *);
  void (*closeBox)(void *);
  void (*addButton)(void *, const char *, FAUSTFLOAT *);
  void (*addCheckButton)(void *, const char *, FAUSTFLOAT *);
  void (*addVerticalSlider)(void *, const char *, FAUSTFLOAT *, FAUSTFLOAT, FAUSTFLOAT, FAUSTFLOAT, FAUSTFLOAT);
  void (*addHorizontalSlider)(void *, const char *, FAUSTFLOAT *, FAUSTFLOAT, FAUSTFLOAT, FAUSTFLOAT, FAUSTFLOAT);
  void (*addNumEntry)(void *, const char *, FAUSTFLOAT *, FAUSTFLOAT, FAUSTFLOAT, FAUSTFLOAT, FAUSTFLOAT);
  void (*addHorizontalBargraph)(void *, const char *, FAUSTFLOAT *, FAUSTFLOAT, FAUSTFLOAT);
  void (*addVerticalBargraph)(void *, const char *, FAUSTFLOAT *, FAUSTFLOAT, FAUSTFLOAT);
  void (*addSoundfile)(void *, const char *, const char *, void **);
  void (*declare)(void *, FAUSTFLOAT *, const char *, const char *);
} UIGlue;

typedef struct {
  void *metaInterface;
  void (*declare)(void *, const char *, const char *);
} MetaGlue;

// Faust calls these two for whole numbers and leaves them to the file around its code.
static inline int min(int a, int b) { return a < b ? a : b; }
static inline int max(int a, int b) { return a > b ? a : b; }

#include FAUST_CODE

typedef struct {
  FAUSTFLOAT *at[most_controls];
  int count;
} CONTROLS;

static void add(void *controls, FAUSTFLOAT *zone) {
  CONTROLS *p = controls;
  if (p->count < most_controls) p->at[p->count] = zone;
  p->count++;
}
static void box(void *ui, const char *label) { (void)ui, (void)label; }
static void close_box(void *ui) { (void)ui; }
static void button(void *ui, const char *label, FAUSTFLOAT *zone) { (void)label, add(ui, zone); }
static void slider(void *ui, const char *label, FAUSTFLOAT *zone, FAUSTFLOAT start, FAUSTFLOAT low, FAUSTFLOAT high,
                   FAUSTFLOAT step) {
  (void)label, (void)start, (void)low, (void)high, (void)step;
  add(ui, zone);
}
static void bargraph(void *ui, const char *label, FAUSTFLOAT *zone, FAUSTFLOAT low, FAUSTFLOAT high) {
  (void)ui, (void)label, (void)zone, (void)low, (void)high;
}
static void soundfile(void *ui, const char *label, const char *url, void **zone) {
  (void)ui, (void)label, (void)url, (void)zone;
}
static void declare(void *ui, FAUSTFLOAT *zone, const char *key, const char *value) {
  (void)ui, (void)zone, (void)key, (void)value;
}

static CONTROLS controls_of(faust *program) {
  CONTROLS controls = {.count = 0};
  UIGlue glue = {&controls, box, box, box, close_box, button, button, slider, slider, slider,
                 bargraph, bargraph, soundfile, declare};
  buildUserInterfacefaust(program, &glue);
  return controls;
}

typedef struct {
  OPDS h;
  MYFLT *arguments[2 * most_signals + most_controls];
  AUXCH memory;
  CONTROLS controls;
  int inputs, outputs;
} CALL;

static int init(CSOUND *csound, CALL *p) {
  csound->AuxAlloc(csound, sizeof(faust), &p->memory);
  memset(p->memory.auxp, 0, sizeof(faust));
  faust *program = p->memory.auxp;
  initfaust(program, (int)(csound->GetSr(csound) + 0.5));
  p->controls = controls_of(program);
  p->inputs = getNumInputsfaust(program);
  p->outputs = getNumOutputsfaust(program);
  return OK;
}

static int perform(CSOUND *csound, CALL *p) {
  uint32_t offset = p->h.insdshead->ksmps_offset, early = p->h.insdshead->ksmps_no_end;
  uint32_t ksmps = p->h.insdshead->ksmps, count = ksmps - early - offset;
  FAUSTFLOAT *signals[2 * most_signals];
  (void)csound;
  for (int n = 0; n < p->outputs; n++) {
    signals[n] = p->arguments[n] + offset;
    memset(p->arguments[n], 0, offset * sizeof(MYFLT));
    memset(p->arguments[n] + ksmps - early, 0, early * sizeof(MYFLT));
  }
  for (int n = 0; n < p->inputs; n++) signals[p->outputs + n] = p->arguments[p->outputs + n] + offset;
  for (int n = 0; n < p->controls.count; n++)
    *p->controls.at[n] = *p->arguments[p->outputs + p->inputs + n];
  computefaust(p->memory.auxp, (int)count, signals + p->outputs, signals);
  return OK;
}

static char output_types[most_signals + 1], input_types[most_signals + most_controls + 1];

PUBLIC int csoundModuleCreate(CSOUND *csound) {
  (void)csound;
  return 0;
}

PUBLIC int csoundModuleInit(CSOUND *csound) {
  faust *program = calloc(1, sizeof(faust));
  if (program == NULL) return -1;
  int inputs = getNumInputsfaust(program), outputs = getNumOutputsfaust(program);
  int controls = controls_of(program).count;
  free(program);
  if (inputs > most_signals || outputs > most_signals || controls > most_controls) {
    csound->ErrorMsg(csound, "%s has %d inputs, %d outputs and %d controls; at most %d, %d and %d are possible.\n",
                     FAUST_OPCODE, inputs, outputs, controls, most_signals, most_signals, most_controls);
    return -1;
  }
  memset(output_types, 'a', outputs);
  memset(input_types, 'a', inputs);
  memset(input_types + inputs, 'k', controls);
  return csound->AppendOpcode(csound, FAUST_OPCODE, sizeof(CALL), 0, 3, output_types, input_types, (SUBR)init,
                              (SUBR)perform, NULL);
}

PUBLIC int csoundModuleInfo(void) { return (CS_APIVERSION << 16) + (CS_APISUBVER << 8) + (int)sizeof(MYFLT); }
