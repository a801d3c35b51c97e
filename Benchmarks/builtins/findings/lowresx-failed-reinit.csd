<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Ends Csound with a segmentation fault: a number of layers that the init pass refuses is kept all the same.
; Right: the note ends, or goes on with the old number.
; Opcode: lowresx
; Problem: A reinit with too many layers crashes Csound.
; Seen: crash
; Expected: no crash
; Check: life-failed-reinit
; Source: Opcodes/lowpassr.c, lowpr_setx: loop is set before it is looked at
; Patch: Set it behind the test.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

instr 1
  kcycle timeinstk
  if kcycle == 20 then
    reinit again
  endif
again:
  ilayers = (i(kcycle) < 10 ? 4 : 1000001)
  ain rand 0.5, 0.3, 1
  aout lowresx ain, 1000, 10, ilayers
  rireturn
endin
</CsInstruments>
<CsScore>
i 1 0 0.1
e
</CsScore>
</CsoundSynthesizer>
