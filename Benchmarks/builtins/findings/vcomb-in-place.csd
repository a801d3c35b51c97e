<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Prints the energy of vcomb's output in a variable of its own, and in the input's variable.
; The second is 0: each input sample is overwritten before it is read. Right: the same twice.
; Opcode: vcomb
; Problem: With the same variable at input and output it puts out silence.
; Seen: wrong values
; Expected: v1 = v2, v3 = v4
; Check: edges-in-place
; Source: Opcodes/ugmoss.c, vcomb
; Patch: Read asig[n] before ar[n] is written.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

instr 1
  ain mpulse 1, 0
  aout vcomb ain, 1, 0.01, 0.05
  ain vcomb ain, 1, 0.01, 0.05
  kone rms aout
  ktwo rms ain
  printks "seen %f %f\n", 0.05, kone, ktwo
endin
</CsInstruments>
<CsScore>
i 1 0 0.1
e
</CsScore>
</CsoundSynthesizer>
