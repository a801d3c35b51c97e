<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Ends Csound with a segmentation fault: with iskip in a fresh note there is no memory to keep.
; atonex has the same init pass. Right: a fresh note is cleared whatever iskip says.
; Opcode: tonex, atonex
; Problem: iskip in the first note crashes Csound.
; Seen: crash
; Expected: no crash
; Check: arguments-i-extremes
; Source: OOps/ugens5.c, tonsetx
; Patch: Allocate where auxp is null, whatever istor is.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

instr 1
  ain init 0.5
  aout tonex ain, 1000, 4, 1
endin
</CsInstruments>
<CsScore>
i 1 0 0.1
e
</CsScore>
</CsoundSynthesizer>
