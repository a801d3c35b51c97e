<CsoundSynthesizer>
<CsOptions>
-n -m0 -d --sample-accurate
</CsOptions>
<CsInstruments>
; Prints samples 33 and 60 of a block in which the note starts at sample 32. They keep the 99 that stood
; there before: the wave is written from the front of the block. Right: two samples of the wave.
; Opcode: squinewave
; Problem: With --sample-accurate, a start inside a block is written at the front of the block.
; Seen: wrong values
; Expected: v1 < 1.1, v2 < 1.1
; Check: edges-before-start
; Source: Opcodes/squinewave.c, squinewave_gen
; Patch: Add ksmps_offset to aout and the inputs.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

instr 1
  acps init 440
  aclip init 0.5
  askew init 0
  aout init 99
  aout squinewave acps, aclip, askew
  if timeinstk() == 1 then
    printks "seen %f %f\n", 0, vaget(33, aout), vaget(60, aout)
  endif
endin
</CsInstruments>
<CsScore>
i 1 [32.5/48000] 0.1
e
</CsScore>
</CsoundSynthesizer>
