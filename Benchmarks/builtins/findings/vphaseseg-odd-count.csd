<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Ends Csound with a segmentation fault: a call without a segment has one counted backwards until memory ends.
; Right: an init error.
; Opcode: vphaseseg
; Problem: A call without a segment crashes Csound.
; Seen: crash
; Expected: no crash
; Check: arguments-count
; Source: Opcodes/gab/hvs.c, vphaseseg_set
; Patch: Return an init error where nsegs is below 1, or the number of arguments is odd.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1
gione ftgen 0, 0, 64, 10, 1

instr 1
  vphaseseg 0.5, gione, 64
endin
</CsInstruments>
<CsScore>
i 1 0 0.1
e
</CsScore>
</CsoundSynthesizer>
