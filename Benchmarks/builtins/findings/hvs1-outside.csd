<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Ends Csound with a segmentation fault: a position far above 1 is looked up behind the table of positions.
; Right: a position is limited to those that the table has.
; Opcode: hvs1
; Problem: A position outside of 0 to 1 is looked up outside the table of positions.
; Seen: crash
; Expected: no crash
; Source: Opcodes/gab/hvs.c, hvs1
; Patch: Limit the position.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

giout ftgen 0, 0, 8, -2, 0
gipositions ftgen 0, 0, 4, -2, 0, 1
gisnaps ftgen 0, 0, 16, -2, 1, 2, 3, 4, 5, 6, 7, 8

instr 1
  hvs1 1000000, 4, 2, giout, gipositions, gisnaps
endin
</CsInstruments>
<CsScore>
i 1 0 0.1
e
</CsScore>
</CsoundSynthesizer>
