<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Ends Csound with a segmentation fault: a negative number of elements is accepted and taken as one of
; thousands of millions. Right: an init error.
; Opcode: vlimit, vwrap, vmirror
; Problem: A number of elements below 1 crashes Csound.
; Seen: crash
; Expected: no crash
; Check: arguments-i-extremes
; Source: Opcodes/gab/vectorial.c, vlimit_set; the same in develop of October 2024
; Patch: Return an init error where elements is below 1.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1
gitable ftgen 0, 0, 64, 10, 1

instr 1
  vlimit gitable, -0.5, 0.5, -1
endin
</CsInstruments>
<CsScore>
i 1 0 0.5
e
</CsScore>
</CsoundSynthesizer>
