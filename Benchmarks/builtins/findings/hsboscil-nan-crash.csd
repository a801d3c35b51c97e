<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Ends Csound with a segmentation fault: the place in the table of octaves is rounded to an index far outside of it.
; Right: a tone that is not finite is refused, or taken for 0.
; Opcode: hsboscil
; Problem: One k-cycle of NaN in ktone crashes Csound.
; Seen: crash
; Expected: no crash
; Check: numbers-nan-control
; Source: Opcodes/pitch.c, hsboscil, mtab
; Patch: Return a performance error where ktone or kbrite is not finite.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

giwave ftgen 0, 0, 1024, 10, 1
giblend ftgen 0, 0, 1024, -19, 1, 0.5, 270, 0.5

instr 1
  kinf = exp(1000 + 0 * timeinstk:k())
  ktone = (timeinstk:k() == 10 ? kinf - kinf : 0.1)
  aout hsboscil 0.5, ktone, 0, 200, giwave, giblend
endin
</CsInstruments>
<CsScore>
i 1 0 0.1
e
</CsScore>
</CsoundSynthesizer>
