<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Prints what moogvcf2 makes of a constant of half of 0dbfs, 32768, once it is steady, in units of its input: 1.
; Right: 0.942, which its curve makes of it where 0dbfs is 1.
; Opcode: moogvcf2
; Problem: With a 0dbfs of 32768 nothing saturates: the input is divided by iscale, which is 0dbfs, and by 0dbfs again.
; Seen: wrong values
; Expected: v1 = 0.942 within 0.001
; Check: compare
; Source: Opcodes/biquad.c, moogvcf
; Patch: Divide and multiply by max alone.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 32768

instr 1
  ain = a(0.5 * 0dbfs)
  aout moogvcf2 ain, 5000, 0
  if timeinstk() == 70 then
    printks "seen %f\n", 0, vaget(5, aout) / (0.5 * 0dbfs)
  endif
endin
</CsInstruments>
<CsScore>
i 1 0 0.1
e
</CsScore>
</CsoundSynthesizer>
