<CsoundSynthesizer>
<CsInstruments>
; Opcodes that do next to nothing beside one that does much.
sr = 48000
ksmps = 16
nchnls = 1
0dbfs = 1

instr 1
  kslow lfo 20, 0.3
  kfrequency portk 300 + kslow + p4, 0.01
  kindex limit kfrequency, 100, 400
  asource vco2 0.2, kindex
  afiltered moogladder asource, kfrequency * 3, 0.3
  alouder = afiltered * 0.9
  out alouder * 0.05
endin
</CsInstruments>
<CsScore>
{ 12 N
i 1 0 3 $N
}
e
</CsScore>
</CsoundSynthesizer>
