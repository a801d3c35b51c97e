<CsoundSynthesizer>
<CsOptions>
-n -m0 -d --sample-accurate
</CsOptions>
<CsInstruments>
; A note ends 40 samples before the end of a block, and Csound with a segmentation fault: the frames that
; are left out are subtracted twice, and 64 - 2 * 40 is, without a sign, thousands of millions.
; Right: nothing happens.
; Opcode: sc_lagud
; Problem: With --sample-accurate, a note that ends inside a block crashes Csound.
; Seen: crash
; Expected: no crash
; Check: edges-before-start, edges-end-samples
; Source: Opcodes/emugens/scugens.c, lagud_a
; Patch: Subtract early from nsmps once.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

instr 1
  ain oscili 0.5, 440
  aout sc_lagud ain, 0.01, 0.02
endin
</CsInstruments>
<CsScore>
i 1 0 [(64*5+24)/48000]
e
</CsScore>
</CsoundSynthesizer>
