<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Ends Csound with a segmentation fault: 0 elements are accepted.
; Right: an init error.
; Opcode: vecdelay
; Problem: 0 elements crash Csound.
; Seen: crash
; Expected: no crash
; Source: Opcodes/gab/vectorial.c, vecdly_set
; Patch: Return an init error where elements is below 1.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1
gitable ftgen 0, 0, 64, 10, 1
gitimes ftgen 0, 0, 64, -7, 0.01, 64, 0.02

instr 1
  vecdelay gitable, gitable, gitimes, 0, 0.05
endin
</CsInstruments>
<CsScore>
i 1 0 0.3
e
</CsScore>
</CsoundSynthesizer>
