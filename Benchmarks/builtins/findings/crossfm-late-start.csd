<CsoundSynthesizer>
<CsOptions>
-n -m0 -d --sample-accurate
</CsOptions>
<CsInstruments>
; Prints sample 63 of two notes that start at sample 32 of a block, with a frequency ratio of 1 at k-rate and at a-rate.
; The second reads the ratios from the front of the block, where they are still 0. Right: the same value twice.
; Opcode: crossfm, crossfmi, crosspm, crosspmi, crossfmpm, crossfmpmi
; Problem: With --sample-accurate, a note that starts inside a block has the ratio and index of other frames in it.
; Seen: wrong values
; Expected: v1 = v2
; Check: edges-start-samples
; Source: Opcodes/crossfm.c, xfm and five others: the pointers begin at the block's first frame
; Patch: Let xfrq1, xfrq2, xndx1 and xndx2 begin at the note's first frame where they are at a-rate.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1
gisine ftgen 0, 0, 1024, 10, 1
gaone init 0
gatwo init 0

instr 1
  aratio upsamp 1
  gaone, aside crossfm 1, 1, 0, 0, 1000, gisine, gisine
  gatwo, aside crossfm aratio, 1, 0, 0, 1000, gisine, gisine
endin

instr 2
  if timeinstk() == 1 then
    printks "seen %f %f\n", 0, vaget(63, gaone), vaget(63, gatwo)
  endif
endin
</CsInstruments>
<CsScore>
i 1 [32.5/48000] 0.1
i 2 0 0.1
e
</CsScore>
</CsoundSynthesizer>
