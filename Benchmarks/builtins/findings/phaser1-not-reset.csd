<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Prints the first sample of two equal notes that follow one another; the second begins with the state of the
; first. Right: the same value twice.
; Opcode: phaser1
; Problem: A note begins with the state of the note before it.
; Seen: wrong values
; Expected: v1 = v2
; Check: life-recycled
; Source: Opcodes/ugsc.c, phaser1set
; Patch: Clear the state in the init pass where iskip is 0, when it is allocated already, too.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

instr 1
  ain init 0.5
  aout phaser1 ain, 500, 4, 0.5
  if timeinstk() == 1 then
    printks "seen %.9f\n", 0, vaget(0, aout)
  endif
endin
</CsInstruments>
<CsScore>
i 1 0 0.1
i 1 0.2 0.1
e
</CsScore>
</CsoundSynthesizer>
