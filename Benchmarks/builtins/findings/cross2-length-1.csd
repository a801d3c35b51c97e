<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Ends Csound with a floating-point exception: a length of 1 is accepted, the overlap is at least 2,
; and the block counter is divided by 1 / 2 = 0. Right: an init error.
; Opcode: cross2
; Problem: A length of 1 crashes Csound.
; Seen: crash
; Expected: no crash
; Check: arguments-i-extremes
; Source: Opcodes/cross2.c, Xsynth
; Patch: Refuse lengths below the overlap with an init error.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1
giwin ftgen 0, 0, 512, 20, 2

instr 1
  ain init 0.5
  aout cross2 ain, ain, 1, 2, giwin, 0.5
endin
</CsInstruments>
<CsScore>
i 1 0 0.1
e
</CsScore>
</CsoundSynthesizer>
