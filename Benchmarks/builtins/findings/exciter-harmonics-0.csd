<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Prints whether each sample is a number in the last k-cycle, 1 if so, after one k-cycle with no harmonics.
; A value of 0 divides by 0, and the filters behind keep the result to the note's end.
; Right: 1; a drive of 0 is limited, as the documented range of 0.1 to 10 is.
; Opcode: exciter
; Problem: After kharms of 0 in one k-cycle the rest of the note is NaN.
; Seen: wrong values
; Expected: v1 = 1
; Check: numbers-zero-control
; Source: Opcodes/exciter.c, set_distort
; Patch: Limit kharms to 0.1 and above.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

instr 1
  ain rand 0.5, 0.3, 1
  kcycle timeinstk
  kharmonics = (kcycle == 10 ? 0 : 5)
  aout exciter ain, 3000, 10000, kharmonics, 0
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
