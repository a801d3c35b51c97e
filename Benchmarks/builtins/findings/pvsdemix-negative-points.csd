<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Does not come to an end: a negative number of points is accepted.
; Right: an init error.
; Opcode: pvsdemix
; Problem: A negative number of points never comes to an end.
; Seen: no end
; Expected: no crash
; Source: Opcodes/pvsdemix.c, pvsdemix_init
; Patch: Return an init error where ipoints is below 1.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

instr 1
  ain oscili 0.5, 440
  fsig1 pvsanal ain, 512, 128, 512, 1
  fsig2 pvsdemix fsig1, fsig1, 0, 20, -1
endin
</CsInstruments>
<CsScore>
i 1 0 0.3
e
</CsScore>
</CsoundSynthesizer>
