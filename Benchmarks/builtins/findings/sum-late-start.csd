<CsoundSynthesizer>
<CsOptions>
-n -m0 -d --sample-accurate
</CsOptions>
<CsInstruments>
; Prints samples 0 and 60 of a global variable that held 5, after sum of 1 and 1 in a note that starts at
; sample 32 of the block: the 5 stays at the front. All other opcodes that write audio clear it.
; Right: 0 and 2.
; Opcode: sum
; Problem: With --sample-accurate, old samples stay before and after a note.
; Seen: wrong values
; Expected: v1 = 0, v2 = 2
; Check: edges-before-start, edges-after-end
; Source: Opcodes/uggab.c, sum_
; Patch: Clear the samples before offset and after the end.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1
gasum init 5

instr 1
  a1 init 1
  gasum sum a1, a1
endin

instr 2
  if timeinstk() == 1 then
    printks "seen %f %f\n", 0, vaget(0, gasum), vaget(60, gasum)
  endif
endin
</CsInstruments>
<CsScore>
i 1 [32.5/48000] 0.1
i 2 0 0.1
e
</CsScore>
</CsoundSynthesizer>
