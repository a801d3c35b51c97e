<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Prints the first output of a-rate sc_trig in two equal notes that follow one another: the input is 0 at
; the start of both, then a trigger of 1 at sample 10, and a second note that finds the 1 of the last block.
; The init pass is that of k-rate and takes the input's value of the note before for a trigger.
; Right: 0 twice.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

instr 1
  atrig linseg 0, 0.001, 0, 0, 1, 1, 1
  aout sc_trig atrig, 0.02
  if timeinstk() == 1 then
    printks "%f\n", 0, vaget(0, aout)
  endif
endin
</CsInstruments>
<CsScore>
i 1 0 0.1
i 1 0.2 0.1
e
</CsScore>
</CsoundSynthesizer>
