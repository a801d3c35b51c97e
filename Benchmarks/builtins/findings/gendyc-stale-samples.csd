<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Prints samples 0 to 63 of one block of gendyc at ksmps 64: after the first few they keep the 99 that
; stood in the variable before. Each segment of the waveform is written from the block's start again.
; Right: gendyc writes all 64 samples of the block.
; Opcode: gendyc
; Problem: All but the first samples of a block are stale.
; Seen: wrong values
; Expected: v1 < 2, v2 < 2, v3 < 2, v4 < 2
; Check: edges-every-sample
; Source: Opcodes/gendy.c, agendyc
; Patch: Go on behind the samples of the segment before, instead of from offset in each segment.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1


instr 1
  kcycle init 0
  kcycle += 1
  aout init 99
  aout gendyc 0.5, 1, 1, 1, 1, 2000, 2400, 0.5, 0.5
  if kcycle == 2 then
    printks "seen %f %f %f %f\n", 0, vaget(0, aout), vaget(20, aout), vaget(40, aout), vaget(63, aout)
  endif
endin
</CsInstruments>
<CsScore>
i 1 0 0.01
e
</CsScore>
</CsoundSynthesizer>
