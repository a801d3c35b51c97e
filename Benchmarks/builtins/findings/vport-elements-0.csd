<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Ends Csound with a segmentation fault: 0 elements are accepted, and the loop counts on below 0.
; Right: an init error.
; Opcode: vport, vrandh, vrandi
; Problem: 0 elements crash Csound.
; Seen: crash
; Expected: no crash
; Source: Opcodes/gab/vectorial.c, vport_set
; Patch: Return an init error where elements is below 1.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1
gitable ftgen 0, 0, 64, 10, 1

instr 1
  vport gitable, 0.01, 0
endin
</CsInstruments>
<CsScore>
i 1 0 0.3
e
</CsScore>
</CsoundSynthesizer>
