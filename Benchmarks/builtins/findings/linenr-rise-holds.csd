<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Prints the level at the last sample of a block of 64 in which a rise of 0.01 s (480 samples) ends
; after 32 samples, and at the first of the next.
; It prints less than 1 first: the last step of the rise is held to the end of the block. Right: 1 twice.
; Opcode: linenr
; Problem: The last step of the rise is held to the end of its block.
; Seen: wrong values
; Expected: v1 = 1, v2 = 1
; Check: invariance-ksmps
; Source: OOps/ugens1.c, linenr
; Patch: Set the value to 1 once the rise is over, sample by sample.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

instr 1
  aout linenr 1, 0.01, 0.02, 0.01
  if timeinstk() == 8 || timeinstk() == 9 then
    printks "seen %f\n", 0, timeinstk() == 8 ? vaget(63, aout) : vaget(0, aout)
  endif
endin
</CsInstruments>
<CsScore>
i 1 0 0.1
e
</CsScore>
</CsoundSynthesizer>
