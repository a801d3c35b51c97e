<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Ends Csound with an illegal instruction: NaN as the duration of the grains.
; NaN as kdens does so, too, and so does NaN as kgdur of grain. Right: NaN, silence or an error.
; Opcode: grain3, grain
; Problem: NaN as the duration of the grains crashes Csound.
; Seen: crash
; Expected: no crash
; Check: numbers-nan-next-note
; Source: Opcodes/oscbnk.c, grain3: the limits of w_frq_f are no limits for NaN; Opcodes/grain.c
; Patch: Refuse what is not within the limits, instead of what is outside.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

giwave ftgen 0, 0, 1024, 10, 1
giwindow ftgen 0, 0, 1024, 20, 2

instr 1
  kinf = exp(1000)
  knan = kinf - kinf
  aout grain3 440, 0, 0, 0, knan, 100, 20, giwave, giwindow, 0, 0
endin
</CsInstruments>
<CsScore>
i 1 0 0.1
e
</CsScore>
</CsoundSynthesizer>
