<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Ends Csound with a segmentation fault: kx of 1e300 becomes a place far outside the terrain.
; wterrain and wterrain2 take it. Right: any place of the terrain.
; Opcode: sterrain
; Problem: A very large kx crashes Csound.
; Seen: crash
; Expected: no crash
; Check: numbers-huge-control
; Source: Opcodes/sterrain.c
; Patch: Bring the place back with floor, after a limit.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

giwave ftgen 0, 0, 1024, 10, 1

instr 1
  aout sterrain 0.5, 220, 0.5, 0.5, 1e300, 0.3, 0.1, giwave, giwave, 1, 1, 1, 1, 1, 1, 1, 6.28
endin
</CsInstruments>
<CsScore>
i 1 0 0.1
e
</CsScore>
</CsoundSynthesizer>
