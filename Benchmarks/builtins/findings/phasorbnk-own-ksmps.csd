<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Prints a k-rate phasorbnk of 1 Hz after 0.05 s, and the same in a user-defined opcode with a ksmps of 1.
; Inside it is 64 times too fast, because it takes the kr of the orchestra.
; Right: nearly the same value twice.
; Opcode: phasorbnk
; Problem: At k-rate, with setksmps in a user-defined opcode, the frequency is wrong.
; Seen: wrong values
; Expected: v1 = v2 within 0.01
; Check: invariance-local-ksmps
; Source: Opcodes/pitch.c, kphsorbnk
; Patch: Take the kr of the instrument (CS_ONEDKR), not that of the engine.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

opcode Inside, k, k
  setksmps 1
  kin xin
  kout phasorbnk kin, 0, 4
  xout kout
endop

instr 1
  kone init 1
  kout phasorbnk kone, 0, 4
  kinside Inside kone
  if timeinstk() == 37 then
    printks "seen %f %f\n", 0, kout, kinside
  endif
endin
</CsInstruments>
<CsScore>
i 1 0 0.1
e
</CsScore>
</CsoundSynthesizer>
