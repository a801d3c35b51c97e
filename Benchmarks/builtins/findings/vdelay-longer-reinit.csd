<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Ends Csound with a segmentation fault: a reinit with iskip takes over a longer greatest delay, but not memory for it.
; Right: the memory grows with it, or the greatest delay stays.
; Opcode: vdelay
; Problem: A reinit with iskip and a longer greatest delay crashes Csound.
; Seen: crash
; Expected: no crash
; Check: life-kept-reinit
; Source: OOps/vdelay.c, vdelset
; Patch: Allocate where the memory is too small, whatever istod is.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1
instr 1
  ain rand 0.5, 0.3, 1
  kcycle init 0
  kcycle += 1
  if kcycle == 21 then
    reinit again
  endif
again:
  ichanged = (i(kcycle) < 10 ? 0 : 1)
  imaximum = (ichanged == 0 ? 1 : 10000)
  aout vdelay ain, imaximum - 0.5, imaximum, ichanged
  rireturn
endin
</CsInstruments>
<CsScore>
i 1 0 0.3
e
</CsScore>
</CsoundSynthesizer>
