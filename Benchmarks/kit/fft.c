/* aout fftw_there_and_back ain, isize: Transforms.swift with FFTW 3 (Debian's libfftw3-double3). The library is opened
   when the opcode is first called, so that no header is needed. */

#include <csdl.h>
#include <dlfcn.h>
#include <stdlib.h>

typedef double complex_number[2];
typedef void *(*planner)(int, void *, void *, unsigned);
typedef void (*executor)(void *, void *, void *);

/* Plans are made once for each size; each instance has its own blocks. */
static struct {
  planner forward, backward;
  executor run_forward, run_backward;
  struct {
    void *forward, *backward;
  } plans[32];
} fftw;

typedef struct {
  OPDS h;
  MYFLT *out, *in, *isize;
  AUXCH memory;
  void *forward, *backward;
  double *block, *result;
  complex_number *spectrum;
  uint32_t size, place;
} TRANSFORM;

/* FFTW chooses by trying when this is 0 (FFTW_MEASURE); a plan from complex numbers may overwrite them. */
static const unsigned measure = 0;

static int load(void) {
  if (fftw.run_backward) return 1;
  void *library = dlopen("libfftw3.so.3", RTLD_NOW);
  if (!library) return 0;
  fftw.forward = (planner)dlsym(library, "fftw_plan_dft_r2c_1d");
  fftw.backward = (planner)dlsym(library, "fftw_plan_dft_c2r_1d");
  fftw.run_forward = (executor)dlsym(library, "fftw_execute_dft_r2c");
  fftw.run_backward = (executor)dlsym(library, "fftw_execute_dft_c2r");
  return fftw.forward && fftw.backward && fftw.run_forward && fftw.run_backward;
}

static int transform_init(CSOUND *csound, TRANSFORM *p) {
  uint32_t size = (uint32_t)*p->isize, power = 0;
  while ((1u << power) < size) power++;
  if (size < 16 || (1u << power) != size)
    return csound->InitError(csound, "%s", "fftw_there_and_back: isize must be a power of two, at least 16");
  if (!load())
    return csound->InitError(csound, "%s", "fftw_there_and_back needs FFTW 3: apt-get install libfftw3-double3");
  csound->AuxAlloc(csound, (2 * size + 2 * (size / 2 + 1)) * sizeof(double) + 192, &p->memory);
  char *start = (char *)(((uintptr_t)p->memory.auxp + 63) & ~(uintptr_t)63);
  p->block = (double *)start;
  p->result = p->block + size;
  p->spectrum = (complex_number *)(p->result + size);
  if (!fftw.plans[power].forward) {
    fftw.plans[power].forward = fftw.forward((int)size, p->block, p->spectrum, measure);
    fftw.plans[power].backward = fftw.backward((int)size, p->spectrum, p->result, measure);
  }
  p->forward = fftw.plans[power].forward;
  p->backward = fftw.plans[power].backward;
  for (uint32_t n = 0; n < size; n++) p->block[n] = p->result[n] = 0;
  p->size = size;
  p->place = 0;
  return OK;
}

static int transform_audio(CSOUND *csound, TRANSFORM *p) {
  uint32_t offset = p->h.insdshead->ksmps_offset, early = p->h.insdshead->ksmps_no_end;
  uint32_t end = p->h.insdshead->ksmps - early, size = p->size, place = p->place;
  MYFLT *out = p->out, *in = p->in;
  (void)csound;
  for (uint32_t n = 0; n < offset; n++) out[n] = 0.0;
  for (uint32_t n = offset; n < end; n++) {
    p->block[place] = in[n];
    out[n] = p->result[place];
    if (++place < size) continue;
    place = 0;
    fftw.run_forward(p->forward, p->block, p->spectrum);
    double scale = 1.0 / size;
    for (uint32_t k = 0; k <= size / 2; k++) {
      p->spectrum[k][0] *= scale;
      p->spectrum[k][1] *= scale;
    }
    fftw.run_backward(p->backward, p->spectrum, p->result);
  }
  p->place = place;
  for (uint32_t n = end; n < end + early; n++) out[n] = 0.0;
  return OK;
}

static OENTRY localops[] = {
    {"fftw_there_and_back", sizeof(TRANSFORM), 0, 3, "a", "ai", (SUBR)transform_init, (SUBR)transform_audio, NULL},
};

LINKAGE
