<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Prints the largest amplitude that pitch finds in two silent notes, before and after a note with a sine. The third note
; finds what the second left in its buffers. Right: 0 in both.
; Opcode: pitch
; Problem: A note hears the end of the note before it.
; Seen: wrong values
; Expected: v1 = 0, v2 = 0
; Check: life-recycled
; Source: Opcodes/pitch.c, pitchset
; Patch: Clear the buffers of the octaves in every init pass.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

instr 1
  ain poscil p4, 440
  koctave, kamplitude pitch ain, 0.01, 6, 10, 10
  kmost init 0
  kmost max kmost, kamplitude
  if timeinstk() == 70 && p4 == 0 then
    printks "seen %f\n", 0, kmost
  endif
endin
</CsInstruments>
<CsScore>
i 1 0 0.1 0
i 1 1 0.1 0.5
i 1 2 0.1 0
e
</CsScore>
</CsoundSynthesizer>
