<CsoundSynthesizer>
<CsInstruments>
; Few calls of much work, k-cycles of 1024 samples.
sr = 48000
ksmps = 1024
nchnls = 1
0dbfs = 1

instr 1
  anoise rand 0.2
  aladder moogladder anoise, 2000, 0.5
  aleft, aright reverbsc aladder, anoise, 0.8, 9000
  aband butterbp aleft, 700, 100
  alast lpf18 aright, 1500, 0.4, 0.2
  out (aband + alast) * 0.2
endin
</CsInstruments>
<CsScore>
i 1 0 20
i 1 0 20
i 1 0 20
e
</CsScore>
</CsoundSynthesizer>
