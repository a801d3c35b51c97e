; Crackles once, at 1 s: a table of the score is made then.
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
</CsInstruments>
<CsScore>
i "Bell" 0 3 440
f 1 1 4194304 10 1 0.5 0.33 0.25
</CsScore>
</CsoundSynthesizer>
