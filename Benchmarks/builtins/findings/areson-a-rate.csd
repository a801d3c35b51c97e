<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Prints a sample of the second block of noise through areson with the cutoff and bandwidth at kk, ak, ka and aa:
; four different values, one of them NaN. Right: the same four times; all are constant.
; Opcode: areson
; Problem: With an a-rate cutoff or bandwidth the output is NaN or another filter.
; Seen: wrong values
; Expected: v1 = v2, v1 = v3, v1 = v4
; Check: render, invariance-rates
; Source: Opcodes/afilters.c, aresonaa, aresonak and aresonka
; Patch: Compute the coefficients as areson in OOps/ugens5.c does.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

instr 1
  ain rand 0.5, 0.1, 1
  acf init 1000
  abw init 100
  aone areson ain, 1000, 100, 1
  atwo areson ain, acf, 100, 1
  athree areson ain, 1000, abw, 1
  afour areson ain, acf, abw, 1
  if timeinstk() == 2 then
    printks "seen %f %f %f %f\n", 0, vaget(5, aone), vaget(5, atwo), vaget(5, athree), vaget(5, afour)
  endif
endin
</CsInstruments>
<CsScore>
i 1 0 0.1
e
</CsScore>
</CsoundSynthesizer>
