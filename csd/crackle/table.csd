; Crackles once, at 1 s: Pluck makes a table of 4,194,304 points while the piece plays.
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

instr Pluck
  itable ftgen 0, 0, 4194304, 10, 1, 0.5, 0.33, 0.25
  out poscil:a(linen:a(0.1, 0.01, p3, 0.1), p4, itable)
endin
</CsInstruments>
<CsScore>
i "Bell" 0 3 440
i "Pluck" 1 1 220
</CsScore>
</CsoundSynthesizer>
