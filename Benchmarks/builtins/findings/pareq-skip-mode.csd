<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Prints a sample of a low shelf, imode 1, in two fresh notes, without iskip and with it. With iskip imode is not read in a
; fresh note either, and the filter is a peaking one. Right: the same value twice.
; Opcode: pareq
; Problem: iskip in the first note: imode is not read.
; Seen: wrong values
; Expected: v1 = v2
; Check: life-first-skip
; Source: Opcodes/biquad.c, pareqset
; Patch: Read imode whatever iskip is.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1
instr 1
  ain = a(0.5)
  aone pareq ain, 1000, 4, 0.7, 1
  atwo pareq ain, 1000, 4, 0.7, 1, 1
  if timeinstk() == 10 then
    printks "seen %f %f\n", 0, vaget(63, aone), vaget(63, atwo)
  endif
endin
</CsInstruments>
<CsScore>
i 1 0 0.1
e
</CsScore>
</CsoundSynthesizer>
