<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Ends Csound with a segmentation fault: a window table of 1000 elements.
; Right: the window is read, or an error.
; Opcode: grain
; Problem: A window table whose length is not a power of two crashes Csound.
; Seen: crash
; Expected: no crash
; Check: arguments-odd-table
; Source: Opcodes/grain.c, ags: pow2tab looks at the length of the waveform only; the same in develop of October 2024
; Patch: pow2tab = ISPOW2(glen) && ISPOW2(elen)
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

giwave ftgen 0, 0, 1024, 10, 1
giwindow ftgen 0, 0, -1000, 20, 2

instr 1
  aout grain 0.5, 440, 50, 0, 0, 0.05, giwave, giwindow, 0.1
endin
</CsInstruments>
<CsScore>
i 1 0 0.5
e
</CsScore>
</CsoundSynthesizer>
