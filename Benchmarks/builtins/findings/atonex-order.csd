<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Prints a sample of a step through two atone in a row, and through atonex of order 2, and of order 1.
; The loop over the order starts with 1 instead of 0: order 2 is one filter, order 1 puts out its input.
; Right: the first two are the same, and the third is that of one atone.
; Opcode: atonex
; Problem: The order is one too low: 2 is one filter, 1 is none.
; Seen: wrong values
; Expected: v1 = v2, v3 = v4
; Source: OOps/ugens5.c, atonex; Opcodes/afilters.c, atonexa
; Patch: Begin the loop over the stages with j = 0.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

instr 1
  ain init 1
  aone atone ain, 100
  atwo atone aone, 100
  athree atonex ain, 100, 2
  afour atonex ain, 100, 1
  if timeinstk() == 1 then
    printks "seen %f %f %f %f\n", 0, vaget(63, atwo), vaget(63, athree), vaget(63, afour), vaget(63, aone)
  endif
endin
</CsInstruments>
<CsScore>
i 1 0 0.1
e
</CsScore>
</CsoundSynthesizer>
