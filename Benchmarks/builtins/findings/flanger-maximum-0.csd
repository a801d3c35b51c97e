<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Does not come to an end: a greatest delay of 0 is accepted, and the delay is brought into it by adding 0.
; Right: an init error.
; Opcode: flanger
; Problem: A maximum delay of 0 never comes to an end.
; Seen: no end
; Expected: no crash
; Check: arguments-i-extremes
; Source: Opcodes/flanger.c, flanger
; Patch: Return an init error where imaxd is not above 0.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

instr 1
  ain init 0.5
  adel init 0.005
  aout flanger ain, adel, 0.5, 0
endin
</CsInstruments>
<CsScore>
i 1 0 0.1
e
</CsScore>
</CsoundSynthesizer>
