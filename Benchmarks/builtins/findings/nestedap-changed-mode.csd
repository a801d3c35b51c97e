<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Ends Csound with a segmentation fault: a reinit with iskip changes imode from 1 to 2. The performance reads imode, but the
; memory of the second all-pass was not set up. Right: iskip keeps the mode, too, or sets it up.
; Opcode: nestedap
; Problem: A reinit with iskip and another imode crashes Csound.
; Seen: crash
; Expected: no crash
; Check: life-kept-reinit
; Source: Opcodes/biquad.c, nestedapset and nestedap
; Patch: Keep imode in the init pass that sets up the memory, and use that.
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
  imode = (ichanged == 0 ? 1 : 2)
  aout nestedap ain, imode, 1, 0.02, 0.5, 0.005, 0.5, 0, 0, ichanged
  rireturn
endin
</CsInstruments>
<CsScore>
i 1 0 0.1
e
</CsScore>
</CsoundSynthesizer>
