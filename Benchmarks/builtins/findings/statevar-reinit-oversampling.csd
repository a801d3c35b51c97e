<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Prints a sample of a low-pass output after a reinit with iskip that changes iosamps from 3 to 6, twice: the cutoff of the second
; moves by a millionth of a hertz then. In the first, the coefficients are those for 3 until the cutoff moves.
; Right: nearly the same value twice.
; Opcode: statevar
; Problem: A reinit with iskip and another iosamps: the filter is at another cutoff until a control moves.
; Seen: wrong values
; Expected: v1 = v2 within 0.001
; Check: life-kept-reinit
; Source: Opcodes/newfils.c, statevar_init
; Patch: Set oldfreq to 0 whatever istor is.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1
instr 1
  ain rand 0.5, 0.3, 1
  kcycle init 0
  kcycle += 1
  kcutoff = (kcycle < 21 ? 1000 : 1000.000001)
  if kcycle == 21 then
    reinit again
  endif
again:
  iosamps = (i(kcycle) < 10 ? 3 : 6)
  iskip = (i(kcycle) < 10 ? 0 : 1)
  ahigh, alow, aband, areject statevar ain, 1000, 1, iosamps, iskip
  ahigh, alowtwo, aband, areject statevar ain, kcutoff, 1, iosamps, iskip
  rireturn
  if kcycle == 50 then
    printks "seen %f %f\n", 0, vaget(63, alow), vaget(63, alowtwo)
  endif
endin
</CsInstruments>
<CsScore>
i 1 0 0.2
e
</CsScore>
</CsoundSynthesizer>
