<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Ends Csound with a segmentation fault: a call with one table and no segment is accepted.
; Right: an init error.
; Opcode: vexpseg, vlinseg
; Problem: A call without a segment crashes Csound.
; Seen: crash
; Expected: no crash
; Source: Opcodes/gab/vectorial.c, vseg_set
; Patch: Return an init error where there is no time and second table.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1
gitable ftgen 0, 0, 64, -7, 1, 64, 2

instr 1
  vexpseg gitable, 60, gitable
endin
</CsInstruments>
<CsScore>
i 1 0 0.3
e
</CsScore>
</CsoundSynthesizer>
