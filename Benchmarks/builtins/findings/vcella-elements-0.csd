<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Ends Csound with a segmentation fault: 0 elements are accepted.
; Right: an init error.
; Opcode: vcella
; Problem: 0 elements crash Csound.
; Seen: crash
; Expected: no crash
; Source: Opcodes/gab/vectorial.c, ca_set
; Patch: Return an init error where elements is below 1.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1
gitable ftgen 0, 0, 64, 10, 1
girule ftgen 0, 0, 8, -2, 0, 1, 0, 1, 1, 0, 1, 0

instr 1
  vcella 1, 0, gitable, gitable, girule, 0, 8
endin
</CsInstruments>
<CsScore>
i 1 0 0.3
e
</CsScore>
</CsoundSynthesizer>
