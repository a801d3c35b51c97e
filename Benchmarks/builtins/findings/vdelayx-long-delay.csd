<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Never ends: a delay time far above imaxdel is brought back by adding imaxdel again and again, which changes nothing
; where the number is large. With a delay of 1e6 s a tenth of a second of sound takes seven seconds.
; Right: the delay is limited, or brought back by a division.
; Opcode: vdelayx, vdelayxs, vdelayxq
; Problem: A delay time of 1e30 never comes to an end, and one of 1e6 s takes very long.
; Seen: no end
; Expected: no crash
; Check: numbers-large-control
; Source: OOps/vdelay.c, vdelayx: while (x1 < 0.0) x1 += maxd; the same in develop of October 2024
; Patch: x1 -= maxd * floor(x1 / maxd), after a limit.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

instr 1
  adelay = a(1e30)
  ain poscil 1, 440
  aout vdelayx ain, adelay, 1, 16
endin
</CsInstruments>
<CsScore>
i 1 0 0.1
e
</CsScore>
</CsoundSynthesizer>
