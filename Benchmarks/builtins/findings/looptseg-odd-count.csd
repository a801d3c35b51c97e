<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Ends Csound with a segmentation fault: the arguments of a last segment are taken from a call that has not all of them.
; Right: an init error.
; Opcode: looptseg
; Problem: A call with one argument too few crashes Csound.
; Seen: crash
; Expected: no crash
; Check: arguments-count
; Source: Opcodes/uggab.c, looptseg_set: nsegs is (INOCOUNT-2)/3, but three arguments come before the segments
; Patch: Return an init error where the arguments after the third are not a whole number of threes.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1
instr 1
  kout looptseg 2, 0, 0, 0.5, 0
endin
</CsInstruments>
<CsScore>
i 1 0 0.1
e
</CsScore>
</CsoundSynthesizer>
