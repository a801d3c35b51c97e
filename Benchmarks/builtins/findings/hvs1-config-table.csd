<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Ends Csound with a segmentation fault: a configuration table is kept as the table for the results.
; Right: the results are in the table for them; the first is 3, half way from 1 to 5.
; Opcode: hvs1
; Problem: Any configuration table crashes Csound.
; Seen: crash
; Expected: v1 = 3
; Source: Opcodes/gab/hvs.c, hvs1_set: outTable is set a second time where confTable is meant
; Patch: Set confTable.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

giout ftgen 0, 0, 8, -2, 0
gipositions ftgen 0, 0, 4, -2, 0, 1
gisnaps ftgen 0, 0, 16, -2, 1, 2, 3, 4, 5, 6, 7, 8
giconfig ftgen 0, 0, 4, -2, 0, 0, 0, 0

instr 1
  hvs1 0.5, 4, 2, giout, gipositions, gisnaps, giconfig
endin

instr 2
  kfirst table 0, giout
  printks "seen %f\n", 1, kfirst
endin
</CsInstruments>
<CsScore>
i 1 0 0.1
i 2 0.01 0.05
e
</CsScore>
</CsoundSynthesizer>
