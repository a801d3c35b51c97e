<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Prints whether each sample is a number in the last k-cycle, 1 if so, after one k-cycle with an amplitude of 0. The
; input is divided by the amplitude, and the string keeps the result to the note's end. Right: 1.
; Opcode: repluck
; Problem: After kamp of 0 in one k-cycle the rest of the note is NaN.
; Seen: wrong values
; Expected: v1 = 1
; Check: stability-pairs
; Source: Opcodes/repluck.c, wgpluck
; Patch: Count a kamp of 0 as the smallest above 0.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

instr 1
  ain rand 0.1, 0.3, 1
  kcycle timeinstk
  kamplitude = (kcycle == 10 ? 0 : 0.5)
  aout repluck 0.3, kamplitude, 220, 0.7, 0.5, ain
  klast downsamp aout
  if kcycle == 60 then
    printks "seen %d\n", 0, (klast > -1000 && klast < 1000 ? 1 : 0)
  endif
endin
</CsInstruments>
<CsScore>
i 1 0 0.1
e
</CsScore>
</CsoundSynthesizer>
