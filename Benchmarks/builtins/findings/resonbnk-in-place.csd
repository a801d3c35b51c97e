<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Prints the level of resonbnk's output in a variable of its own, and in the input's variable.
; The second is 0: in parallel mode each input sample is overwritten before it is read. Right: the same twice.
; Opcode: resonbnk
; Problem: With the same variable at input and output it puts out silence.
; Seen: wrong values
; Expected: v1 = v2, v3 = v4
; Check: edges-in-place
; Source: OOps/lpred.c, resonbnk
; Patch: Read asig[n] before ar[n] is cleared.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

instr 1
  ain mpulse 1, 0
  kparameters[] fillarray 500, 50, 2000, 50
  aout resonbnk ain, kparameters, 50, 20000, 1
  ain resonbnk ain, kparameters, 50, 20000, 1
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
