<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Prints the energy at the start of the first note, and of a second of silence in the same memory: the second
; sounds of the first. Right: 0 in the second.
; Opcode: tvconv
; Problem: A note begins with the sound of the note before it.
; Seen: wrong values
; Expected: v2 = 0
; Check: life-recycled
; Source: Opcodes/pvsops.cpp, struct TVConv
; Patch: Clear the buffers in the init pass.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

instr 1
  ain oscili p4, 440
  aout tvconv ain, ain, 1, 1, 64, 256
  kone rms aout
  if timeinstk() == 3 then
    printks "seen %f\n", 0, kone
  endif
endin
</CsInstruments>
<CsScore>
i 1 0 0.2 0.5
i 1 0.3 0.1 0
e
</CsScore>
</CsoundSynthesizer>
