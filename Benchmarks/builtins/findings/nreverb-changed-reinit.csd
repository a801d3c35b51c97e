<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Reads memory that was given back. At the reinit iskip is 1. Prints the peak of the output after it.
; Right: iskip keeps everything, or nothing.
; Opcode: nreverb, reverb2
; Problem: iskip in a reinit: reads memory that was given back.
; Seen: crash
; Expected: 0.01 < v1, v1 < 10 or an error
; Check: life-changed-reinit
; Source: OOps/vdelay.c, reverbx_set
; Patch: With iskip leave the init pass before anything is allocated or set.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1
gitable ftgen 0, 0, 256, 10, 1
instr 1
  kcycle init 0
  kcycle += 1
  if kcycle == 21 then
    reinit again
  endif
again:
  ; Nonzero at the second time: it keeps its combs, but not their lengths.
  iskip = (i(kcycle) < 10 ? 0 : 1)
  ain rand 0.5, 0.3, 1
  aout nreverb ain, 1, 0.5, iskip
  rireturn
  kpeak peak aout
  if kcycle == 70 then
    printks "seen %f\n", 0, kpeak
  endif
  outc aout
endin
</CsInstruments>
<CsScore>
i 1 0 0.1
e
</CsScore>
</CsoundSynthesizer>
