<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Ends Csound with a segmentation fault: with iskip in a fresh note there is no memory to keep.
; Right: a fresh note is cleared whatever iskip says.
; Opcode: resony
; Problem: iskip in the first note crashes Csound.
; Seen: crash
; Expected: no crash
; Check: arguments-i-extremes
; Source: Opcodes/uggab.c, rsnsety
; Patch: Allocate where auxp is null, whatever iskip is.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

instr 1
  ain init 0.5
  aout resony ain, 300, 50, 4, 2, 0, 0, 1
endin
</CsInstruments>
<CsScore>
i 1 0 0.1
e
</CsScore>
</CsoundSynthesizer>
