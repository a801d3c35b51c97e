<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Ends Csound with a segmentation fault: more bins than there are lead to a negative place in the list of them.
; Right: all bins pass or none.
; Opcode: pvstrace
; Problem: More bins than there are crash Csound.
; Seen: crash
; Expected: no crash
; Check: arguments-k-extremes
; Source: Opcodes/pvsops.cpp, struct PVTrace
; Patch: Limit the number to the number of bins.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

instr 1
  ain oscili 0.5, 440
  fsig1 pvsanal ain, 512, 128, 512, 1
  fsig2 pvstrace fsig1, 1000000
endin
</CsInstruments>
<CsScore>
i 1 0 0.5
e
</CsScore>
</CsoundSynthesizer>
