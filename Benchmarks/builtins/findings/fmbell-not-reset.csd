<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Prints a sample of the first block of two equal notes that follow one another; they differ.
; Three of the four phases go on from the note before. Right: the same value twice.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1
gisine ftgen 1, 0, 8192, 10, 1

instr 1
  aout fmbell 0.5, 220, 5, 5, 0.05, 6, 1, 1, 1, 1, 1
  if timeinstk() == 1 then
    printks "%.9f\n", 0, vaget(63, aout)
  endif
endin
</CsInstruments>
<CsScore>
i 1 0 0.1
i 1 0.2 0.1
e
</CsScore>
</CsoundSynthesizer>
