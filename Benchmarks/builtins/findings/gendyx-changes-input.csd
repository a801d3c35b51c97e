<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Prints a variable that is set to -1 once: it becomes 0 after gendyx has had it as its curve.
; Right: -1 stays; a limit belongs into a copy.
; Opcode: gendyx
; Problem: Sets the variables given as curves to 0 where they are below it.
; Seen: wrong values
; Expected: v1 = -1, v2 = -1
; Check: edges-inputs-unchanged
; Source: Opcodes/gendy.c, kgendyx and agendyx
; Patch: Limit copies of kcurveup and kcurvedown.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

instr 1
  kcurve init -1
  aout gendyx 0.5, 1, 1, 1, 1, 200, 600, 0.5, 0.5, kcurve, 1
  printks "seen %f\n", 0.01, kcurve
endin
</CsInstruments>
<CsScore>
i 1 0 0.02
e
</CsScore>
</CsoundSynthesizer>
