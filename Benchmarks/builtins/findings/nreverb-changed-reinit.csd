<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Reads memory that was given back: valgrind shows it. At the reinit iskip is 1.
; Right: iskip keeps everything, or nothing.
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
  outc aout
endin
</CsInstruments>
<CsScore>
i 1 0 0.1
e
</CsScore>
</CsoundSynthesizer>
