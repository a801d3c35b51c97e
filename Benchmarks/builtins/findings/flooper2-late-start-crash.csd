<CsoundSynthesizer>
<CsOptions>
-n -m0 -d --sample-accurate
</CsOptions>
<CsInstruments>
; Ends Csound: a note that starts inside a block clears as many samples as are before its start in an array of two.
; Right: no crash.
; Opcode: flooper2
; Problem: With --sample-accurate, a note that starts inside a block crashes Csound.
; Seen: crash
; Expected: no crash
; Check: edges-before-start
; Source: Opcodes/sndloop.c, flooper2_process: memset(out, ...)
; Patch: Remove the memset; the outputs are cleared above it.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1
gitable ftgen 0, 0, 65536, 10, 1

instr 1
  aout flooper2 0.5, 1, 0.1, 0.5, 0.05, gitable
endin
</CsInstruments>
<CsScore>
i 1 [32.5/48000] 0.1
e
</CsScore>
</CsoundSynthesizer>
