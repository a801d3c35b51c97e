<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Prints a sample of noise through two filters with a cutoff of 0, from the start, and after one k-cycle of 0.001 Hz. The first
; takes its coefficient from memory that was not set, because a cutoff that is 0 is taken for unchanged.
; Right: nearly the same value twice.
; Opcode: mvchpf
; Problem: With a cutoff of 0 from the start the filter has no coefficient.
; Seen: wrong values
; Expected: v1 = v2 within 0.001
; Source: Opcodes/newfils.c, mvchpf24_init: fr begins at 0, and w is not set
; Patch: Let fr begin at -1.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1
instr 1
  ain rand 0.5, 0.3, 1
  kcutoff = (timeinstk() == 1 ? 0.001 : 0)
  kzero init 0
  aone mvchpf ain, kzero
  atwo mvchpf ain, kcutoff
  if timeinstk() == 20 then
    printks "seen %f %f\n", 0, vaget(63, aone), vaget(63, atwo)
  endif
endin
</CsInstruments>
<CsScore>
i 1 0 0.1
e
</CsScore>
</CsoundSynthesizer>
