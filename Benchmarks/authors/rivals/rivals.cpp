// RESFILT and TABOSC as the Csound Plugin Opcode Framework lets one write them.
#define opaddr opadr  // plugin.h of Csound 6.18 has the name in two spellings, which clang refuses.
#include <plugin.h>

#include <cmath>

template <bool AUDIO>
struct Resfilt : csnd::Plugin<1, 3> {
  MYFLT s1, s2;

  int init() {
    s1 = s2 = 0;
    return OK;
  }

  int aperf() {
    MYFLT *in = inargs(0), *out = outargs(0), *cutoff = inargs(1);
    if (!std::isfinite(s1 + s2)) s1 = s2 = 0;
    for (uint32_t i = offset; i < nsmps; i++) {
      MYFLT part = cutoff[AUDIO ? i : 0] / csound->sr();
      MYFLT g = std::tan(M_PI * (part > 0 ? std::min(part, 0.49) : 0));
      MYFLT k = 1 / std::max(inargs[2], 0.1);
      MYFLT v3 = in[i] - s2;
      MYFLT v1 = (s1 + g * v3) / (1 + g * (g + k));
      MYFLT v2 = s2 + g * v1;
      s1 = 2 * v1 - s1;
      s2 = 2 * v2 - s2;
      out[i] = v2;
    }
    return OK;
  }
};

template <bool AUDIO>
struct Tabosc : csnd::Plugin<1, 3> {
  MYFLT phase;
  csnd::Table table;

  int init() {
    phase = 0;
    return table.init(csound, inargs(2));
  }

  int aperf() {
    MYFLT *out = outargs(0), *frequency = inargs(1);
    int length = table.len();
    for (uint32_t i = offset; i < nsmps; i++) {
      MYFLT position = phase * length;
      int index = std::min(int(position), length - 1);
      MYFLT f = position - index;
      MYFLT a = table[index > 0 ? index - 1 : length - 1], b = table[index];
      MYFLT c = table[index + 1 < length ? index + 1 : 0];
      MYFLT d = table[index + 2 < length ? index + 2 : (index + 2) % length];
      MYFLT d1 = a - b, d2 = c - b, d3 = d - b;
      MYFLT c3 = (d3 - d1 - 3 * d2) / 6, c2 = (d1 + d2) / 2, c1 = d2 - c2 - c3;
      out[i] = inargs[0] * (b + f * (c1 + f * (c2 + f * c3)));
      phase += frequency[AUDIO ? i : 0] / csound->sr();
      phase -= std::floor(phase);
    }
    return OK;
  }
};

#include <modload.h>
void csnd::on_load(csnd::Csound *csound) {
  csnd::plugin<Resfilt<false>>(csound, "resfilt_cpof.k", "a", "akk", csnd::thread::ia);
  csnd::plugin<Resfilt<true>>(csound, "resfilt_cpof.a", "a", "aak", csnd::thread::ia);
  csnd::plugin<Tabosc<false>>(csound, "tabosc_cpof.k", "a", "kki", csnd::thread::ia);
  csnd::plugin<Tabosc<true>>(csound, "tabosc_cpof.a", "a", "kai", csnd::thread::ia);
}
