<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Ends Csound with a segmentation fault: the memory is for a length of 32768, the power of two below,
; and the performance pass works with 60000. Right: an init error, or the rounded length in both passes.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1
giwin ftgen 0, 0, 512, 20, 2

instr 1
  ain oscili 0.5, 440
  aout cross2 ain, ain, 60000, 2, giwin, 0.5
endin
</CsInstruments>
<CsScore>
i 1 0 3
e
</CsScore>
</CsoundSynthesizer>
