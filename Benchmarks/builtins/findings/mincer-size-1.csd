<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Ends Csound with a segmentation fault or a broken heap: an FFT size of 1 is accepted.
; Right: an init error.
; Opcode: mincer, temposcal
; Problem: An FFT size of 1 crashes Csound.
; Seen: crash
; Expected: no crash
; Source: Opcodes/pvlock.c, sinit
; Patch: Return an init error where the size is below 4 or the decimation below 1.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1
gitable ftgen 0, 0, 32768, 10, 1

instr 1
  atime line 0, 1, 1
  aout mincer atime, 0.5, 1, gitable, 1, 1, 4
endin
</CsInstruments>
<CsScore>
i 1 0 0.3
e
</CsScore>
</CsoundSynthesizer>
