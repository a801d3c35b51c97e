<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Ends Csound with a segmentation fault: NaN as the time or as the resampling factor.
; Right: NaN or silence, and no other memory.
; Opcode: sndwarp
; Problem: NaN as a control crashes Csound.
; Seen: crash
; Expected: no crash
; Check: numbers-nan-next-note
; Source: Opcodes/sndwarp.c, sndwarp
; Patch: Limit the place with comparisons that NaN fails, before it becomes an index.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

giwave ftgen 0, 0, 1024, 10, 1
giwindow ftgen 0, 0, 1024, 20, 2

instr 1
  kinf = exp(1000)
  knan = kinf - kinf
  aout sndwarp 0.5, knan, 1, giwave, 0, 1000, 100, 4, giwindow, 0
endin
</CsInstruments>
<CsScore>
i 1 0 0.1
e
</CsScore>
</CsoundSynthesizer>
