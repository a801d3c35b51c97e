<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Ends Csound with a segmentation fault: a wave of 1000 points is read as if its length were a power of two.
; Right: an init error, or another way to read such a table.
; Opcode: hsboscil
; Problem: A wave table whose length is not a power of two crashes Csound.
; Seen: crash
; Expected: no crash
; Check: arguments-odd-table
; Source: Opcodes/pitch.c, hsboscset and hsboscil
; Patch: Return an init error where the table has no lobits, or read it with a phase from 0 to 1.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

giwave ftgen 0, 0, 1000, 10, 1
giblend ftgen 0, 0, 1024, -19, 1, 0.5, 270, 0.5

instr 1
  aout hsboscil 0.5, 0.1, 0, 200, giwave, giblend
endin
</CsInstruments>
<CsScore>
i 1 0 0.1
e
</CsScore>
</CsoundSynthesizer>
