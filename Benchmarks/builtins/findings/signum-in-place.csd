<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Prints a sample of the sign of 0.5, once with a variable of its own for the output and once with the input's: 1 and 0.
; The a-rate pass sets its whole output to 0 before it reads its input.
; Right: 1 twice.
; Opcode: signum
; Problem: At a-rate, with the same variable at the input and output, the output is 0.
; Seen: wrong values
; Expected: v1 = v2
; Check: edges-in-place
; Source: OOps/aops.c, asignum
; Patch: Set only the samples before the offset and after the end to 0, as other opcodes do.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

instr 1
  aown init 0.5
  asame = aown + 0
  aapart signum aown
  asame signum asame
  if timeinstk() == 2 then
    printks "seen %f %f\n", 0, vaget(5, aapart), vaget(5, asame)
  endif
endin
</CsInstruments>
<CsScore>
i 1 0 0.1
e
</CsScore>
</CsoundSynthesizer>
