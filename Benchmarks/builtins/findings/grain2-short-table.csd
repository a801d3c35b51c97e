<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Ends Csound 7.0 with a segmentation fault: a table of one element for the waveform of the grains.
; Right: a constant, as in Csound 6.18, or an error.
; Opcode: grain2, grain3
; Problem: A wave table of length 1 crashes Csound.
; Seen: crash
; Expected: no crash
; Check: arguments-odd-table
; Source: Opcodes/oscbnk.c, grain2 and grain3
; Patch: Read no element behind the guard point.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

gione ftgen 0, 0, 1, 10, 1
giwindow ftgen 0, 0, 1024, 20, 2

instr 1
  aout grain2 440, 20, 0.05, 8, gione, giwindow
endin
</CsInstruments>
<CsScore>
i 1 0 0.1
e
</CsScore>
</CsoundSynthesizer>
