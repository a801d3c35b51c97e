<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Ends Csound with a segmentation fault: NaN as a delay time becomes a place far outside the delay line.
; Right: NaN or silence, and no other memory.
; Opcode: vdelayx, vdelayxs, vdelayxq, vdelayxw, vdelayxws, vdelayxwq
; Problem: NaN as a delay time crashes Csound.
; Seen: crash
; Expected: no crash
; Check: numbers-nan-next-note
; Source: OOps/vdelay.c, vdelayx and the five after it: xpos = (int32_t) x1; the same in develop of October 2024
; Patch: Limit the delay with comparisons that NaN fails, before it becomes an index.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

instr 1
  kinf = exp(1000)
  anan = a(kinf - kinf)
  ain poscil 1, 440
  aout vdelayx ain, anan, 1, 16
endin
</CsInstruments>
<CsScore>
i 1 0 0.1
e
</CsScore>
</CsoundSynthesizer>
