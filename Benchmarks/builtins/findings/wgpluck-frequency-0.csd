<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Does not come to an end: a frequency of 0 is accepted.
; Right: an init error.
; Opcode: wgpluck
; Problem: A frequency of 0 never comes to an end.
; Seen: no end
; Expected: no crash
; Source: Opcodes/pluck.c, pluckPluck
; Patch: Return an init error where the frequency is not above 0.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

instr 1
  ain init 0
  aout wgpluck 0, 0.5, 0.7, 0.3, 10, 1000, ain
endin
</CsInstruments>
<CsScore>
i 1 0 0.3
e
</CsScore>
</CsoundSynthesizer>
