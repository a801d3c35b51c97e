<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; At a frequency of -1 in performance it calls InitError, which is for the init pass: the whole performance
; ends, the second note is not played. Right: an error in performance ends the note, or silence.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

instr 1
  kfreq linseg 220, 0.1, -1
  aout wgbowedbar 0.5, kfreq, 0.5, 0.5, 0.9
  print p2
endin
</CsInstruments>
<CsScore>
i 1 0 0.3
i 1 0.5 0.1
e
</CsScore>
</CsoundSynthesizer>
