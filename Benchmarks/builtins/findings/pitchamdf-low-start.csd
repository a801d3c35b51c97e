<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Ends Csound with a segmentation fault: a first frequency of 1 Hz, below imincps, is a period longer than the memory.
; Right: an init error, or the nearest period that is searched.
; Opcode: pitchamdf
; Problem: A first frequency below the lowest one crashes Csound.
; Seen: crash
; Expected: no crash
; Check: life-first-skip
; Source: Opcodes/pitch.c, pitchamdfset: peri
; Patch: Limit peri to minperi and maxperi.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1
instr 1
  ain rand 0.5, 0.3, 1
  kcps, krms pitchamdf ain, 100, 500, 1, 1, 1
endin
</CsInstruments>
<CsScore>
i 1 0 0.3
e
</CsScore>
</CsoundSynthesizer>
