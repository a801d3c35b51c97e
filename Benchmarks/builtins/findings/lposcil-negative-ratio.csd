<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Ends Csound with a segmentation fault: with a negative frequency ratio the phase runs out of the
; front of the table and is never brought back. Right: it goes round in the loop, or stays at its start.
; Opcode: lposcil
; Problem: A negative frequency ratio crashes Csound.
; Seen: crash
; Expected: no crash
; Check: numbers-negative-control
; Source: Opcodes/uggab.c, lposc
; Patch: Bring a phase below the start of the loop back into the loop.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1
gitable ftgen 0, 0, 8192, 10, 1

instr 1
  aout lposcil 0.5, -1000, 100, 8000, gitable
endin
</CsInstruments>
<CsScore>
i 1 0 10
e
</CsScore>
</CsoundSynthesizer>
