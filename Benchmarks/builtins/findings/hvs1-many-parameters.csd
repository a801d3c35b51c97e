<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Ends Csound with a segmentation fault: more parameters than the tables have are read and written behind them.
; Right: an init error.
; Opcode: hvs1
; Problem: A number of parameters above the size of the tables crashes Csound.
; Seen: crash
; Expected: no crash
; Check: arguments-i-extremes
; Source: Opcodes/gab/hvs.c, hvs1_set
; Patch: Return an init error where inumParms is above the length of the table for the results.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

giout ftgen 0, 0, 8, -2, 0
gipositions ftgen 0, 0, 4, -2, 0, 1
gisnaps ftgen 0, 0, 16, -2, 1, 2, 3, 4, 5, 6, 7, 8

instr 1
  hvs1 0.5, 1000000, 2, giout, gipositions, gisnaps
endin
</CsInstruments>
<CsScore>
i 1 0 0.1
e
</CsScore>
</CsoundSynthesizer>
