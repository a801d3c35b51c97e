<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Ends Csound with a segmentation fault: a negative size is accepted and leads in front of the memory.
; Right: an error, or a size of 1.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

instr 1
  kin init 0.5
  kout mediank kin, -1000000, 17
endin
</CsInstruments>
<CsScore>
i 1 0 0.1
e
</CsScore>
</CsoundSynthesizer>
