<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Ends Csound with a segmentation fault: a place to read that is no number is rounded to an index far outside the bar.
; Right: the place is limited to the bar.
; Opcode: barmodel
; Problem: One k-cycle of NaN in kscan crashes Csound.
; Seen: crash
; Expected: no crash
; Check: numbers-nan-control
; Source: Opcodes/bilbar.c, bar_run, w[xoint]
; Patch: Take 0 for kscan where it is not finite.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

instr 1
  kinf = exp(1000 + 0 * timeinstk:k())
  kscan = (timeinstk:k() == 10 ? kinf - kinf : 0.23)
  aout barmodel 2, 2, 30, 0.001, kscan, 5, 0.2, 500, 0.05
endin
</CsInstruments>
<CsScore>
i 1 0 0.1
e
</CsScore>
</CsoundSynthesizer>
