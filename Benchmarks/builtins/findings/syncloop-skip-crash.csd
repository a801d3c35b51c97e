<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Ends Csound with a segmentation fault: with iskip in a fresh note there is no memory to keep.
; Right: a fresh note is cleared whatever iskip says.
; Opcode: syncloop
; Problem: iskip in the first note crashes Csound.
; Seen: crash
; Expected: no crash
; Check: arguments-i-extremes
; Source: Opcodes/syncgrain.c, syncgrainloop_init; the same in develop of October 2024
; Patch: Allocate where auxp is null, whatever iskip is.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1
gitable ftgen 0, 0, 32768, 10, 1
giwindow ftgen 0, 0, 1024, 20, 2

instr 1
  aout syncloop 0.5, 100, 1, 0.02, 1, 0, 0.5, gitable, giwindow, 20, 0, 1
endin
</CsInstruments>
<CsScore>
i 1 0 0.1
e
</CsScore>
</CsoundSynthesizer>
