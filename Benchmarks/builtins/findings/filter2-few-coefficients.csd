<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Ends Csound with a segmentation fault: coefficients that the orders promise and the call has not are read.
; Right: an init error.
; Opcode: filter2, zfilter2
; Problem: Fewer coefficients than the orders say crash Csound.
; Seen: crash
; Expected: no crash
; Check: arguments-count
; Source: Opcodes/filter.c, ifilter and izfilter
; Patch: Return an init error where INOCOUNT is below numa + numb + 3.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1
instr 1
  ain init 0.5
  aout filter2 ain, 3, 2, 0.5
endin
</CsInstruments>
<CsScore>
i 1 0 0.1
e
</CsScore>
</CsoundSynthesizer>
