/* The opcodes of Sources/Authors in plain C, as Csound's own are written: values are loaded before the loops. */
#include <csdl.h>
#include <arrays.h>
#include <math.h>
#define HEAD(p) uint32_t offset = p->h.insdshead->ksmps_offset, early = p->h.insdshead->ksmps_no_end, nsmps = CS_KSMPS; (void)offset; (void)early
#define EDGES(o) do { if (offset) memset(o, 0, offset * sizeof(MYFLT)); if (early) { memset(&o[nsmps - early], 0, early * sizeof(MYFLT)); } } while (0)
typedef struct { OPDS h; MYFLT *out, *in, *fc, *q; double s1, s2; } RES;
static int res_init(CSOUND *cs, RES *p) { p->s1 = p->s2 = 0; return OK; }
static inline int res(CSOUND *csound, RES *p, int a) {
  HEAD(p); double sr = csound->GetSr(csound), s1 = p->s1, s2 = p->s2, k = 1 / fmax(*p->q, 0.1);
  MYFLT *out = p->out, *in = p->in, *fc = p->fc;
  if (!isfinite(s1 + s2)) s1 = s2 = 0;
  EDGES(out); nsmps -= early;
  for (uint32_t n = offset; n < nsmps; n++) {
    double part = fc[a ? n : 0] / sr;
    double g = tan(M_PI * (part > 0 ? (part < 0.49 ? part : 0.49) : 0));
    double v3 = in[n] - s2, v1 = (s1 + g * v3) / (1 + g * (g + k)), v2 = s2 + g * v1;
    s1 = 2 * v1 - s1; s2 = 2 * v2 - s2; out[n] = v2;
  }
  p->s1 = s1; p->s2 = s2; return OK;
}
static int res_k(CSOUND *c, RES *p) { return res(c, p, 0); }
static int res_a(CSOUND *c, RES *p) { return res(c, p, 1); }
typedef struct { OPDS h; MYFLT *out, *amp, *freq, *fn; double phase; } TAB;
static int tab_init(CSOUND *cs, TAB *p) { p->phase = 0; return OK; }
static inline int tab(CSOUND *csound, TAB *p, int a) {
  HEAD(p); MYFLT *t; int len = csound->GetTable(csound, &t, (int)*p->fn);
  if (len <= 0) return csound->PerfError(csound, &p->h, "no table");
  double period = 1 / csound->GetSr(csound), amp = *p->amp, phase = p->phase;
  MYFLT *out = p->out, *fr = p->freq;
  EDGES(out); nsmps -= early;
  for (uint32_t n = offset; n < nsmps; n++) {
    double pos = phase * len; int i = (int)pos; if (i > len - 1) i = len - 1;
    double f = pos - i;
    double ya = t[i > 0 ? i - 1 : len - 1], yb = t[i], yc = t[i + 1 < len ? i + 1 : 0], yd = t[i + 2 < len ? i + 2 : (i + 2) % len];
    double d1 = ya - yb, d2 = yc - yb, d3 = yd - yb;
    double c3 = (d3 - d1 - 3 * d2) / 6, c2 = (d1 + d2) / 2, c1 = d2 - c2 - c3;
    out[n] = amp * (yb + f * (c1 + f * (c2 + f * c3)));
    phase += fr[a ? n : 0] * period; phase -= floor(phase);
  }
  p->phase = phase; return OK;
}
static int tab_k(CSOUND *c, TAB *p) { return tab(c, p, 0); }
static int tab_a(CSOUND *c, TAB *p) { return tab(c, p, 1); }
typedef struct { OPDS h; MYFLT *out, *in, *sec, *fb, *drive; AUXCH aux; int len, pos; } SAT;
static int sat_init(CSOUND *cs, SAT *p) {
  p->len = (int)(2 * cs->GetSr(cs)) + 4; cs->AuxAlloc(cs, (p->len) * sizeof(double), &p->aux); p->pos = 0; return OK; }
static inline int sat(CSOUND *csound, SAT *p, int a) {
  HEAD(p); double sr = csound->GetSr(csound), fb = *p->fb, dr = *p->drive; double *b = p->aux.auxp;
  int len = p->len, pos = p->pos; MYFLT *out = p->out, *in = p->in, *sec = p->sec;
  EDGES(out); nsmps -= early;
  for (uint32_t n = offset; n < nsmps; n++) {
    double d = sec[a ? n : 0] * sr - 1; d = d > 0 ? (d < 2 * sr ? d : 2 * sr) : 0;
    int w = (int)d; double f = d - w; int i = pos - w; if (i < 0) i += len;
    int j = i - 1 < 0 ? i - 1 + len : i - 1, k = j - 1 < 0 ? j - 1 + len : j - 1, m = i + 1 == len ? 0 : i + 1;
    double A = b[m], B = b[i], C = b[j], D = b[k];
    double sl = 0.5 * (C - A), st = C - B, sq = 3 * st - 2 * sl - 0.5 * (D - B), cu = sl + 0.5 * (D - B) - 2 * st;
    double e = B + f * (sl + f * (sq + f * cu));
    if (++pos == len) pos = 0;
    b[pos] = tanh(dr * (in[n] + fb * e)); out[n] = e;
  }
  p->pos = pos; return OK;
}
static int sat_k(CSOUND *c, SAT *p) { return sat(c, p, 0); }
static int sat_a(CSOUND *c, SAT *p) { return sat(c, p, 1); }
typedef struct { OPDS h; MYFLT *l, *r, *in, *pan; } PAN;
static int pan_init(CSOUND *c, PAN *p) { return OK; }
static int pan(CSOUND *csound, PAN *p) {
  HEAD(p); MYFLT *l = p->l, *r = p->r, *in = p->in; double gl = sqrt(1 - *p->pan), gr = sqrt(*p->pan);
  EDGES(l); EDGES(r); nsmps -= early;
  for (uint32_t n = offset; n < nsmps; n++) { double x = in[n]; l[n] = x * gl; r[n] = x * gr; }
  return OK;
}
typedef struct { OPDS h; MYFLT *out, *in, *drive; } DRV;
static int drv_init(CSOUND *c, DRV *p) { return OK; }
static int drv(CSOUND *csound, DRV *p) {
  HEAD(p); MYFLT *out = p->out, *in = p->in; double d = *p->drive;
  EDGES(out); nsmps -= early;
  for (uint32_t n = offset; n < nsmps; n++) out[n] = tanh(d * in[n]);
  return OK;
}
typedef struct { OPDS h; MYFLT *out, *in[VARGMAX]; } MIX;
static int mix_init(CSOUND *c, MIX *p) { return OK; }
static int mix(CSOUND *csound, MIX *p) {
  HEAD(p); MYFLT *out = p->out; int count = (int)p->INOCOUNT;
  EDGES(out); nsmps -= early;
  for (uint32_t n = offset; n < nsmps; n++) {
    double sum = 0;
    for (int i = 0; i < count; i++) sum += p->in[i][n];
    out[n] = sum;
  }
  return OK;
}
typedef struct { OPDS h; ARRAYDAT *out, *in, *g; } GAIN;
static int gain_init(CSOUND *cs, GAIN *p) { tabinit(cs, p->out, p->in->sizes[0]); return OK; }
static int gain(CSOUND *csound, GAIN *p) {
  HEAD(p); int count = p->in->sizes[0], gains = p->g->sizes[0]; uint32_t end = nsmps - early;
  for (int ch = 0; ch < count; ch++) {
    MYFLT *out = (MYFLT *)((char *)p->out->data + ch * p->out->arrayMemberSize);
    MYFLT *in = (MYFLT *)((char *)p->in->data + ch * p->in->arrayMemberSize);
    double g = gains == 0 ? 1 : p->g->data[ch < gains ? ch : gains - 1];
    EDGES(out);
    for (uint32_t n = offset; n < end; n++) out[n] = g * in[n];
  }
  return OK;
}
typedef struct { OPDS h; ARRAYDAT *out, *in; MYFLT *sum; } NORM;
static int norm_init(CSOUND *cs, NORM *p) { tabinit(cs, p->out, p->in->sizes[0]); return OK; }
static int norm(CSOUND *csound, NORM *p) {
  int count = p->in->sizes[0]; double sum = 0;
  for (int i = 0; i < count; i++) sum += p->in->data[i];
  if (sum != 0) for (int i = 0; i < count; i++) p->out->data[i] = p->in->data[i] * *p->sum / sum;
  return OK;
}
static OENTRY localops[] = {
  {"drive_c", sizeof(DRV), 0, 3, "a", "ak", (SUBR)drv_init, (SUBR)drv, NULL},
  {"mixall_c", sizeof(MIX), 0, 3, "a", "y", (SUBR)mix_init, (SUBR)mix, NULL},
  {"chgain_c", sizeof(GAIN), 0, 3, "a[]", "a[]k[]", (SUBR)gain_init, (SUBR)gain, NULL},
  {"normin_c", sizeof(NORM), 0, 3, "k[]", "k[]k", (SUBR)norm_init, (SUBR)norm, NULL},
  {"resfilt_c.k", sizeof(RES), 0, 3, "a", "akk", (SUBR)res_init, (SUBR)res_k, NULL},
  {"resfilt_c.a", sizeof(RES), 0, 3, "a", "aak", (SUBR)res_init, (SUBR)res_a, NULL},
  {"tabosc_c.k", sizeof(TAB), 0, 3, "a", "kki", (SUBR)tab_init, (SUBR)tab_k, NULL},
  {"tabosc_c.a", sizeof(TAB), 0, 3, "a", "kai", (SUBR)tab_init, (SUBR)tab_a, NULL},
  {"satdelay_c.k", sizeof(SAT), 0, 3, "a", "akkk", (SUBR)sat_init, (SUBR)sat_k, NULL},
  {"satdelay_c.a", sizeof(SAT), 0, 3, "a", "aakk", (SUBR)sat_init, (SUBR)sat_a, NULL},
  {"panner_c", sizeof(PAN), 0, 3, "aa", "ak", (SUBR)pan_init, (SUBR)pan, NULL},
};
LINKAGE
