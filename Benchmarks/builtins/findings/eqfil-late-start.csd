<CsoundSynthesizer>
<CsOptions>
-n -m0 -d --sample-accurate
</CsOptions>
<CsInstruments>
; Prints sample 31 of a note that starts at sample 32 of a block, for an input of 1 that sounds all the time.
; Right: 0, as the note has not begun.
; Opcode: eqfil
; Problem: With --sample-accurate, a note that starts inside a block sounds from the front of the block.
; Seen: wrong values
; Expected: v1 = 0
; Check: edges-before-start
; Source: Opcodes/eqfil.c, equ_process: the loop begins at 0
; Patch: Let the loop begin at offset.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1
gaone init 1
gaout init 0

instr 1
  gaout eqfil gaone, 1000, 100, 2
endin

instr 2
  if timeinstk() == 1 then
    printks "seen %f\n", 0, vaget(31, gaout)
  endif
endin
</CsInstruments>
<CsScore>
i 1 [32.5/48000] 0.1
i 2 0 0.1
e
</CsScore>
</CsoundSynthesizer>
