<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Ends Csound with a broken heap: a tempo of 0 beats a second is accepted, and the memory asked for is of
; no size. Right: an init error.
; Opcode: bbcuts
; Problem: A tempo of 0 writes outside of memory.
; Seen: crash
; Expected: no crash
; Check: arguments-i-extremes
; Source: Opcodes/bbcut.c, BBCutStereoInit; BBCutMonoInit alike; the same in develop of October 2024
; Patch: Return an init error where ibps, the bar length or the subdivision is not above 0.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

instr 1
  ain init 0.5
  aone, atwo bbcuts ain, ain, 0, 6, 4, 2, 2
endin
</CsInstruments>
<CsScore>
i 1 0 0.5
e
</CsScore>
</CsoundSynthesizer>
