<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Ends Csound with a segmentation fault: with iskip in a fresh note there is no memory to keep.
; Right: a fresh note is cleared whatever iskip says.
; Opcode: resonbnk
; Problem: iskip in the first note crashes Csound.
; Seen: crash
; Expected: no crash
; Check: life-first-skip
; Source: OOps/lpred.c, resonbnk_init
; Patch: Allocate where auxp is null, whatever istor is.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1
instr 1
  ain init 0.5
  kparameters[] fillarray 500, 1000, 2000
  aout resonbnk ain, kparameters, 50, 20000, 1, 1, 0, 1
endin
</CsInstruments>
<CsScore>
i 1 0 0.1
e
</CsScore>
</CsoundSynthesizer>
