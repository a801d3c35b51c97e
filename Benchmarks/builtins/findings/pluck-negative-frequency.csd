<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Ends Csound with a segmentation fault: the place in the table goes below its front.
; A frequency above sr is refused with an error. Right: an error here, too.
; Opcode: pluck
; Problem: A frequency below -sr crashes Csound.
; Seen: crash
; Expected: no crash
; Check: arguments-k-extremes
; Source: OOps/ugens4.c, pluck
; Patch: Refuse frequencies below 0.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

instr 1
  aout pluck 0.5, -1000000, 220, 0, 1
endin
</CsInstruments>
<CsScore>
i 1 0 0.1
e
</CsScore>
</CsoundSynthesizer>
