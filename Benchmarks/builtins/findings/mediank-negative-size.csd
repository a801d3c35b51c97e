<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Ends Csound with a segmentation fault: a negative size is accepted and leads in front of the memory.
; Right: an error, or a size of 1.
; Opcode: mediank
; Problem: A negative size crashes Csound.
; Seen: crash
; Expected: no crash
; Check: numbers-negative-control
; Source: Opcodes/pitch.c, kmedfilt
; Patch: Return a performance error where kwind is below 1.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

instr 1
  kin init 0.5
  kout mediank kin, -1000000, 17
endin
</CsInstruments>
<CsScore>
i 1 0 0.1
e
</CsScore>
</CsoundSynthesizer>
