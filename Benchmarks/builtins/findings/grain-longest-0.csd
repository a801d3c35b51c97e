<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Ends Csound with a segmentation fault: a longest grain of 0 s is accepted.
; Right: an init error.
; Opcode: grain
; Problem: A longest grain of 0 s crashes Csound.
; Seen: crash
; Expected: no crash
; Source: Opcodes/grain.c, agsset
; Patch: Return an init error where imgdur is not above 0.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1
giwave ftgen 0, 0, 8192, 10, 1
giwindow ftgen 0, 0, 1024, 20, 2

instr 1
  aout grain 0.5, 440, 100, 0.1, 20, 0.03, giwave, giwindow, 0
endin
</CsInstruments>
<CsScore>
i 1 0 0.3
e
</CsScore>
</CsoundSynthesizer>
