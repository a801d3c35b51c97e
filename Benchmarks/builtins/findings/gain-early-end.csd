<CsoundSynthesizer>
<CsOptions>
-n -m0 -d --sample-accurate
</CsOptions>
<CsInstruments>
; A note ends 40 samples before the end of a block, and Csound with a segmentation fault: the frames that
; are left out are subtracted twice and then three times, and 64 - 3 * 40 is, without a sign, thousands
; of millions. Right: nothing happens.
; Opcode: gain
; Problem: With --sample-accurate, a note that ends inside a block crashes Csound.
; Seen: crash
; Expected: no crash
; Check: edges-before-start, edges-after-end
; Source: OOps/ugens5.c, gain
; Patch: Subtract early from nsmps once.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

instr 1
  ain oscili 0.5, 440
  aout gain ain, 0.3
endin
</CsInstruments>
<CsScore>
i 1 0 [(64*5+24)/48000]
e
</CsScore>
</CsoundSynthesizer>
