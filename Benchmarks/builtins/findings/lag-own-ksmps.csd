<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Prints a lag of 0.1 s after 0.05 s, and the same in a user-defined opcode with a ksmps of 1.
; Inside it is 64 times too fast, because it takes the kr of the orchestra.
; Right: nearly the same value twice.
; Opcode: lag, sc_lagud
; Problem: At k-rate, with setksmps in a user-defined opcode, the time is wrong.
; Seen: wrong values
; Expected: v1 = v2 within 0.01
; Check: invariance-local-ksmps
; Source: Opcodes/emugens/scugens.c, lag0_init_initial_value, lag0_init_no_initial_value and _lagud_init
; Patch: Take the kr of the instrument (CS_EKR), not GetKr.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

opcode Inside, k, k
  setksmps 1
  kin xin
  kout lag kin, 0.1, 0
  xout kout
endop

instr 1
  kone init 1
  kout lag kone, 0.1, 0
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
