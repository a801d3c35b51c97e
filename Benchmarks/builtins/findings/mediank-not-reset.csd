<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Prints the first output of two equal notes that follow one another: the second finds the values of the first.
; Right: the same value twice.
; Opcode: median, mediank
; Problem: iskip is the wrong way round: left out, a note finds the values of the one before.
; Seen: wrong values
; Expected: v1 = v2
; Check: life-recycled
; Source: Opcodes/pitch.c, medfiltset
; Patch: Clear the buffer where iskip is 0.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

instr 1
  kin init 0.5
  kout mediank kin, 5, 17
  if timeinstk() == 1 then
    printks "seen %f\n", 0, kout
  endif
endin
</CsInstruments>
<CsScore>
i 1 0 0.1
i 1 0.2 0.1
e
</CsScore>
</CsoundSynthesizer>
