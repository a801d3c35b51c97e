<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Prints a sample of the first block of a lag of 1 s that starts at 0, for a constant 1, at a ksmps of 64.
; Its coefficient goes in a line to its value over the first block, from 1 with an initial value and
; from 0 without one. At another ksmps it prints another number. Right: the value of the filter at sample 40,
; about 0.0057 for both, whatever ksmps is.
; Opcode: lag
; Problem: The first block depends on ksmps, and on whether there is an initial value.
; Seen: wrong values
; Expected: v1 = 0.0057, v2 = 0.0057 within 0.0005
; Check: invariance-ksmps
; Source: Opcodes/emugens/scugens.c, laga_next; the same in develop of October 2024
; Patch: Compute the coefficient in the init pass, and interpolate only where lagtime changes.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

instr 1
  ain linseg 0, 1/48000, 1, 10, 1
  aone lag ain, 1, 0
  atwo lag ain, 1
  if timeinstk() == 1 then
    printks "seen %f %f\n", 0, vaget(40, aone), vaget(40, atwo)
  endif
endin
</CsInstruments>
<CsScore>
i 1 0 0.1
e
</CsScore>
</CsoundSynthesizer>
