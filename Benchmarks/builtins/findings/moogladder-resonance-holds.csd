<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Prints a sample of noise through moogladder with a cutoff of 1500 Hz and a resonance that steps from 0.2 to 0.8 and back
; twice in a block, both at a-rate: in blocks of 64 samples, and by itself in blocks of 1. In the first, 0.8 stays to the
; end of the block, because 0.2 is the resonance with which the block began. Right: the same value twice.
; moogladder2 of 6.18 does the same; that of 7.0 is right.
; Opcode: moogladder, moogladder2
; Problem: With both controls at a-rate, a resonance that steps and returns within a block keeps the value between.
; Seen: wrong values
; Expected: v1 = v2
; Check: invariance-ksmps
; Source: Opcodes/newfils.c, moogladder_process_aa and moogladder2_process_aa
; Patch: Keep the last cutoff and resonance of the block as the old ones, not the first.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

gisteps ftgen 1, 0, 2, -2, 0.2, 0.8

opcode Alone, a, aaa
  setksmps 1
  ain, acutoff, aresonance xin
  xout moogladder(ain, acutoff, aresonance)
endop

instr 1
  ain rand 0.2, 0.3, 1
  aresonance table 1.9999 * phasor:a(1500), gisteps
  acutoff init 1500
  aone moogladder ain, acutoff, aresonance
  atwo Alone ain, acutoff, aresonance
  if timeinstk() == 50 then
    printks "seen %f %f\n", 0, vaget(63, aone), vaget(63, atwo)
  endif
endin
</CsInstruments>
<CsScore>
i 1 0 0.1
e
</CsScore>
</CsoundSynthesizer>
