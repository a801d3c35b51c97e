/* fsignal fftw_spectrum ain, isize, ihop, iwindow, ikind, iformat, ialone: the amplitudes of PVSANAL with FFTW 3 (Debian's
   libfftw3-double3) and Hann's window, without frequencies. With ialone only the transform is computed, every ihop samples:
   no window, no amplitudes. The library is opened when the opcode is first called, so that no header is needed. */

#include <csdl.h>
#include <dlfcn.h>
#include <math.h>
#include <pstream.h>
#include <string.h>

typedef double complex_number[2];
typedef void *(*planner)(int, void *, void *, unsigned);
typedef void (*executor)(void *, void *, void *);

static planner plan_forward;
static executor run_forward;
/* FFTW chooses by trying when this is 0 (FFTW_MEASURE). Plans are made once for each size. */
static const unsigned measure = 0;
static void *plans[32];

typedef struct {
  OPDS h;
  PVSDAT *out;
  MYFLT *in, *isize, *ihop, *iwindow, *ikind, *iformat, *ialone;
  AUXCH memory;
  void *plan;
  double *window, *block, *ring;
  complex_number *spectrum;
  uint32_t size, hop, place, waiting, alone;
} SPECTRUM;

static int load(void) {
  if (run_forward) return 1;
  void *library = dlopen("libfftw3.so.3", RTLD_NOW);
  if (!library) return 0;
  plan_forward = (planner)dlsym(library, "fftw_plan_dft_r2c_1d");
  run_forward = (executor)dlsym(library, "fftw_execute_dft_r2c");
  return plan_forward && run_forward;
}

static int spectrum_init(CSOUND *csound, SPECTRUM *p) {
  uint32_t size = (uint32_t)*p->isize, power = 0;
  while ((1u << power) < size) power++;
  if (size < 16 || (1u << power) != size)
    return csound->InitError(csound, "%s", "fftw_spectrum: isize must be a power of two, at least 16");
  if (!load())
    return csound->InitError(csound, "%s", "fftw_spectrum needs FFTW 3: apt-get install libfftw3-double3");
  csound->AuxAlloc(csound, (4 * size + 2 * (size / 2 + 1)) * sizeof(double) + 256, &p->memory);
  char *start = (char *)(((uintptr_t)p->memory.auxp + 63) & ~(uintptr_t)63);
  p->block = (double *)start;
  p->ring = p->block + size;
  p->window = p->ring + 2 * size;
  p->spectrum = (complex_number *)(p->window + size);
  if (!plans[power]) plans[power] = plan_forward((int)size, p->block, p->spectrum, measure);
  p->plan = plans[power];
  double sum = 0;
  for (uint32_t n = 0; n < size; n++) {
    p->block[n] = p->ring[n] = p->ring[size + n] = 0;
    sum += p->window[n] = 0.5 - 0.5 * cos(2 * 3.141592653589793 * (n + 0.5) / size);
  }
  for (uint32_t n = 0; n < size; n++) p->window[n] *= 2 / sum;
  p->size = size;
  p->hop = p->waiting = (uint32_t)*p->ihop;
  p->place = 0;
  p->alone = *p->ialone != 0;
  p->out->N = (int32)size;
  p->out->overlap = (int32)p->hop;
  p->out->winsize = (int32)size;
  p->out->wintype = (int)*p->ikind;
  p->out->format = PVS_AMP_FREQ;
  p->out->sliding = 0;
  csound->AuxAlloc(csound, (size + 2) * sizeof(float), &p->out->frame);
  p->out->framecount = 1;
  return OK;
}

/* The spectrum; with a window, its amplitudes into the frame. As in pvsanal it is that of the block a hop earlier. */
static void transform(SPECTRUM *p) {
  uint32_t size = p->size;
  if (p->alone) {
    run_forward(p->plan, p->ring, p->spectrum);
  } else {
    float *frame = p->out->frame.auxp;
    uint32_t start = p->place + size - p->hop;
    for (uint32_t n = 0; n < size; n++) p->block[n] = p->window[n] * p->ring[(start + n) & (2 * size - 1)];
    run_forward(p->plan, p->block, p->spectrum);
    for (uint32_t k = 0; k <= size / 2; k++) frame[2 * k] = (float)hypot(p->spectrum[k][0], p->spectrum[k][1]);
  }
  p->out->framecount++;
}

static int spectrum_perform(CSOUND *csound, SPECTRUM *p) {
  uint32_t offset = p->h.insdshead->ksmps_offset, early = p->h.insdshead->ksmps_no_end;
  uint32_t end = p->h.insdshead->ksmps - early;
  (void)csound;
  for (uint32_t n = offset; n < end; n++) {
    if (p->waiting == 0) {
      p->waiting = p->hop;
      transform(p);
    }
    p->ring[p->place] = p->in[n];
    p->place = (p->place + 1) & (2 * p->size - 1);
    p->waiting--;
  }
  return OK;
}

static OENTRY localops[] = {
    {"fftw_spectrum", sizeof(SPECTRUM), 0, 3, "f", "aiiiioo", (SUBR)spectrum_init, (SUBR)spectrum_perform, NULL},
};

LINKAGE
