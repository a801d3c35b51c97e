<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Ends Csound with a segmentation fault: after a reinit with a table that does not exist the note goes on without a table.
; Right: the note ends, or goes on with the old table.
; Opcode: fof, fof2, fog, granule, syncgrain
; Problem: A reinit with a wrong table number crashes Csound.
; Seen: crash
; Expected: no crash
; Check: life-failed-reinit
; Source: Opcodes/ugens7.c, fofset0: ftp1 is set to what FTFind has returned before that is looked at
; Patch: Keep the old tables until both are found.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

giwave ftgen 0, 0, 8192, 10, 1
girise ftgen 0, 0, 1024, 19, 0.5, 0.5, 270, 0.5

instr 1
  kcycle timeinstk
  if kcycle == 20 then
    reinit again
  endif
again:
  itable = (i(kcycle) < 10 ? giwave : 99)
  aout fof 0.5, 200, 600, 0, 40, 0.003, 0.02, 0.007, 20, itable, girise, 1
  rireturn
endin
</CsInstruments>
<CsScore>
i 1 0 0.1
e
</CsScore>
</CsoundSynthesizer>
