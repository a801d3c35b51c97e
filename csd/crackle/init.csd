; Crackles once, at 1 s: the init pass of Search computes for a long time.
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

; An i-rate loop that runs when the note begins, and nothing else can be computed meanwhile.
instr Search
  inumber = 0
  ibest = 0
  while inumber < 1500000 do
    ibest max ibest, frac(inumber * 0.618)
    inumber += 1
  od
  out poscil:a(0.1, 330 * ibest)
endin
</CsInstruments>
<CsScore>
i "Bell" 0 3 440
i "Search" 1 1
</CsScore>
</CsoundSynthesizer>
