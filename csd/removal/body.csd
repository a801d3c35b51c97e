<CsoundSynthesizer>
<CsInstruments>
; A filter written out in a user-defined opcode that runs sample by sample.
sr = 48000
ksmps = 32
nchnls = 1
0dbfs = 1

opcode Ladder, a, ak
  setksmps 1
  ain, kcutoff xin
  a1 init 0
  a2 init 0
  kweight = 1 - exp(-2 * $M_PI * kcutoff / sr)
  adriven tanh ain - 2 * a2
  a1 = a1 + kweight * (adriven - a1)
  a2 = a2 + kweight * (a1 - a2)
  xout a2
endop

instr 1
  asaw vco2 0.2, 100 + p4 * 7
  afiltered Ladder asaw, 1500
  adiffuse butterlp afiltered, 5000
  out adiffuse * 0.1
endin
</CsInstruments>
<CsScore>
{ 6 N
i 1 0 3 $N
}
e
</CsScore>
</CsoundSynthesizer>
