<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Prints the first sample of the lowpass in two equal notes that follow one another; the second starts with
; the state of the first. The init pass clears the state when iskip is not 0, and keeps it when it is 0.
; Right: the same value twice.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

instr 1
  ain init 0.5
  alow, ahigh, aband svfilter ain, 1000, 2
  if timeinstk() == 1 then
    printks "%.9f\n", 0, vaget(0, alow)
  endif
endin
</CsInstruments>
<CsScore>
i 1 0 0.1
i 1 0.2 0.1
e
</CsScore>
</CsoundSynthesizer>
