<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Prints the first samples of the integral of a control that is 0, at a-rate. A control is accepted, but as
; many values as ksmps are read from its place: what lies behind the variable is heard. diff does the same.
; Right: 0 four times, or a syntax error.
; Opcode: integ, diff
; Problem: A control at the input of the a-rate opcode is read as a vector: what lies behind it in memory is heard.
; Seen: wrong values
; Expected: v1 = 0, v2 = 0, v3 = 0, v4 = 0 or an error
; Check: numbers-negative-control
; Source: OOps/ugens6.c, integrate and diff; the same in develop of October 2024
; Patch: Ask for an a-rate input in the a-rate entry, or test with IS_ASIG_ARG.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

instr 1
  kin init 0
  k1 init 7
  k2 init 7
  aout integ kin
  if timeinstk() == 2 then
    printks "seen %g %g %g %g\n", 0, vaget(0, aout), vaget(4, aout), vaget(8, aout), vaget(63, aout)
    printks "", 0, k1, k2
  endif
endin
</CsInstruments>
<CsScore>
i 1 0 0.1
e
</CsScore>
</CsoundSynthesizer>
