; Crackles once, at 1 s: 400 notes begin together, each with a reverb of its own.
<CsoundSynthesizer>
<CsOptions>
-odac
</CsOptions>
<CsInstruments>
sr = 48000
ksmps = 64
nchnls = 2
0dbfs = 1

instr Bell
  out poscil:a(linen:a(0.1, 0.01, p3, 0.1), p4)
endin

instr Drop
  again poscil 0.001, 100 + p4
  aleft, aright reverbsc again, again, 0.8, 8000
  outs aleft, aright
endin
</CsInstruments>
<CsScore>
i "Bell" 0 3 440
{ 400 N
i "Drop" 1 0.02 [$N]
}
</CsScore>
</CsoundSynthesizer>
