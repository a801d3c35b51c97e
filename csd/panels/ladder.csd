<Cabbage>
form caption("Ladder") size(440, 300), colour(38, 50, 56)
groupbox bounds(10, 10, 250, 130), text("Voice"), colour(55, 71, 79) {
  rslider bounds(10, 30, 70, 90), channel("pitch"), range(24, 60, 33, 1, 0.01), text("Pitch")
  rslider bounds(90, 30, 70, 90), channel("detune"), range(0, 50, 8, 0.5), text("Detune")
  rslider bounds(170, 30, 70, 90), channel("drive"), range(0, 1, 0.4), text("Drive")
}
groupbox bounds(270, 10, 160, 130), text("Sweep"), colour(55, 71, 79) {
  combobox bounds(10, 40, 140, 24), channel("shape"), text("Sine", "Triangle", "Square"), value(2)
  hslider bounds(10, 80, 140, 30), channel("rate"), range(0.05, 20, 0.4, 0.4), text("Rate")
}
xypad bounds(10, 150, 200, 140), channel("cutoff", "resonance"), rangex(4, 12, 8), rangey(0, 0.98, 0.6), text("Cutoff, resonance")
button bounds(220, 160, 100, 28), channel("play"), text("Play", "Playing"), value(1)
checkbox bounds(330, 160, 100, 28), channel("hall"), text("Hall"), value(1)
vslider bounds(380, 195, 40, 95), channel("level"), range(-48, 0, -12), text("dB")
vmeter bounds(350, 195, 18, 95), channel("meter")
</Cabbage>
<CsoundSynthesizer>
<CsInstruments>
; A drone through MOOGLADDER, its panel in Cabbage's words.
;   ./opcodekit play csd/panels/ladder.csd --panel

sr = 48000
ksmps = 32
nchnls = 2
0dbfs = 1

instr 1
  kpitch = cpsmidinn(port:k(chnget:k("pitch"), 0.05))
  kdetune = cent(port:k(chnget:k("detune"), 0.05))
  kshape = chnget:k("shape")
  ksine lfo 1, chnget:k("rate"), 0
  ktriangle lfo 1, chnget:k("rate"), 1
  ksquare lfo 1, chnget:k("rate"), 2
  ksweep = kshape == 1 ? ksine : (kshape == 2 ? ktriangle : ksquare)
  kcutoff = 2 ^ (port:k(chnget:k("cutoff"), 0.02) + 0.7 * port:k(ksweep, 0.005))
  asaw = vco2(0.3, kpitch) + vco2(0.3, kpitch * kdetune)
  adriven SATURATE asaw * (1 + 8 * port:k(chnget:k("drive"), 0.05))
  afiltered MOOGLADDER adriven, kcutoff, port:k(chnget:k("resonance"), 0.02)
  aplayed = afiltered * port:k(chnget:k("play") * ampdb(chnget:k("level")), 0.02)
  aleft, aright FREEVERB aplayed, aplayed, 0.8, 0.4
  khall = port:k(chnget:k("hall") * 0.35, 0.05)
  out aplayed + khall * aleft, aplayed + khall * aright
  kpeak max_k aplayed, metro(20), 1
  chnset portk(kpeak, 0.1), "meter"
endin
</CsInstruments>
<CsScore>
i 1 0 z
</CsScore>
</CsoundSynthesizer>
