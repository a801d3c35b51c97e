<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Prints the second value of two k-rate oscili of 440 Hz, of which one writes to the variable that it takes the
; frequency from. The frequency is read after the output is written, so the phase goes on by the output.
; Right: the same twice.
; Opcode: oscili, vibr, vibrato, randh, randi, randomh, randomi
; Problem: At k-rate, with the same variable at the output and as frequency, the output is taken for the frequency.
; Seen: wrong values
; Expected: v1 = v2
; Check: edges-in-place
; Source: OOps/ugens2.c, koscli: the phase is advanced after the output is written
; Patch: Read the frequency before the output is written.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

giwave ftgen 0, 0, 8192, 10, 1

instr 1
  kcps = 440
  kapart oscili 0.5, kcps, giwave
  kcps oscili 0.5, kcps, giwave
  if timeinstk() == 2 then
    printks "seen %f %f\n", 0, kapart, kcps
  endif
endin
</CsInstruments>
<CsScore>
i 1 0 0.1
e
</CsScore>
</CsoundSynthesizer>
