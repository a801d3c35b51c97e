<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Ends Csound with a segmentation fault: a negative initial phase allocates nothing, and in a fresh note there is
; no memory to keep.
; Right: a fresh note is set up whatever the phase is.
; Opcode: fog
; Problem: A negative initial phase in the first note crashes Csound.
; Seen: crash
; Expected: no crash
; Source: Opcodes/ugensa.c, fogset
; Patch: Allocate where auxch.auxp is null, whatever iphs is.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1
giwave ftgen 0, 0, 8192, 10, 1
giwindow ftgen 0, 0, 1024, 19, 0.5, 0.5, 270, 0.5

instr 1
  apointer phasor 0.3
  aout fog 0.5, 100, 1, apointer, 0, 0, 0.003, 0.02, 0.007, 20, giwave, giwindow, 1, -1
endin
</CsInstruments>
<CsScore>
i 1 0 0.3
e
</CsScore>
</CsoundSynthesizer>
