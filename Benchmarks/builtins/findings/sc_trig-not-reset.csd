<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Prints the first output of a-rate sc_trig in two equal notes that follow one another: the input is 0 at
; the start of both, then a trigger of 1 at sample 10, and a second note that finds the 1 of the last block.
; The init pass is that of k-rate and takes the input's value of the note before for a trigger.
; Right: 0 twice.
; Opcode: sc_trig
; Problem: At a-rate, a note begins with a trigger of the note before it.
; Seen: wrong values
; Expected: v1 = 0, v2 = 0
; Check: life-recycled
; Source: Opcodes/emugens/scugens.c, trig_init
; Patch: Set the previous level to 0 in an init pass for a-rate.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

instr 1
  atrig linseg 0, 0.001, 0, 0, 1, 1, 1
  aout sc_trig atrig, 0.02
  if timeinstk() == 1 then
    printks "seen %f\n", 0, vaget(0, aout)
  endif
endin
</CsInstruments>
<CsScore>
i 1 0 0.1
i 1 0.2 0.1
e
</CsScore>
</CsoundSynthesizer>
