// aleft, aright zita_convolve ain, itable, iplen, iskip, ilength: CONVOLVE with zita-convolver (Debian's
// libzita-convolver4), in single precision. All partitions have iplen samples, so that no other thread takes part.

#include <csdl.h>
#include <zita-convolver.h>

#include <new>
#include <vector>

struct Convolve {
  OPDS h;
  MYFLT *left, *right, *in, *itable, *iplen, *iskip, *ilength;
  Convproc *engine;
  uint32_t size, place;
};

static int convolve_end(CSOUND *, void *opcode) {
  Convolve *p = (Convolve *)opcode;
  if (p->engine) p->engine->stop_process();
  delete p->engine;
  p->engine = nullptr;
  return OK;
}

static int convolve_init(CSOUND *csound, Convolve *p) {
  MYFLT *table;
  int count = csound->GetTable(csound, &table, (int)*p->itable);
  if (count < 0) return csound->InitError(csound, "%s", "zita_convolve: there is no such table");
  uint32_t skip = (uint32_t)*p->iskip, frames = count / 2 - skip;
  if (*p->ilength > 0 && (uint32_t)*p->ilength < frames) frames = (uint32_t)*p->ilength;
  p->size = (uint32_t)*p->iplen;
  p->place = 0;
  Convproc *engine = new (std::nothrow) Convproc;
  bool good = engine != nullptr;
  if (good) {
    engine->set_options(Convproc::OPT_FFTW_MEASURE | Convproc::OPT_VECTOR_MODE);
    good = engine->configure(1, 2, frames, p->size, p->size, p->size, 0) == 0;
  }
  std::vector<float> response(frames);
  for (uint32_t channel = 0; good && channel < 2; channel++) {
    for (uint32_t n = 0; n < frames; n++) response[n] = (float)table[2 * (skip + n) + channel];
    good = engine->impdata_create(0, channel, 1, response.data(), 0, (int)frames) == 0;
  }
  good = good && engine->start_process(0, 0) == 0;
  p->engine = engine;
  if (!good) {
    convolve_end(csound, p);
    return csound->InitError(csound, "%s", "zita_convolve: zita-convolver refuses these lengths");
  }
  return csound->RegisterDeinitCallback(csound, p, convolve_end);
}

static int convolve_perform(CSOUND *, Convolve *p) {
  uint32_t offset = p->h.insdshead->ksmps_offset, early = p->h.insdshead->ksmps_no_end;
  uint32_t end = p->h.insdshead->ksmps - early;
  float *in = p->engine->inpdata(0), *left = p->engine->outdata(0), *right = p->engine->outdata(1);
  for (uint32_t n = 0; n < offset; n++) p->left[n] = p->right[n] = 0;
  for (uint32_t n = offset; n < end; n++) {
    in[p->place] = (float)p->in[n];
    p->left[n] = left[p->place];
    p->right[n] = right[p->place];
    if (++p->place < p->size) continue;
    p->place = 0;
    p->engine->process(false);
    in = p->engine->inpdata(0);
    left = p->engine->outdata(0);
    right = p->engine->outdata(1);
  }
  for (uint32_t n = end; n < end + early; n++) p->left[n] = p->right[n] = 0;
  return OK;
}

static OENTRY localops[] = {
    {(char *)"zita_convolve", sizeof(Convolve), 0, 3, (char *)"aa", (char *)"aiiii", (SUBR)convolve_init,
     (SUBR)convolve_perform, nullptr},
};

extern "C" {
LINKAGE
}
