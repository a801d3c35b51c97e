<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Prints the first samples of the integral of a control that is 0, at a-rate. A control is accepted, but as
; many values as ksmps are read from its place: what lies behind the variable is heard. diff does the same.
; Right: 0 four times, or a syntax error.
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
    printks "%g %g %g %g\n", 0, vaget(0, aout), vaget(4, aout), vaget(8, aout), vaget(63, aout)
    printks "", 0, k1, k2
  endif
endin
</CsInstruments>
<CsScore>
i 1 0 0.1
e
</CsScore>
</CsoundSynthesizer>
