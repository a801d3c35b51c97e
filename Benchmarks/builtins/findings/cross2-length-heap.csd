<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; With a length that is no power of two glibc reports a broken heap, or Csound crashes: the memory is
; for 512 values, the performance pass works with 1000. Right: an init error, or the rounded length.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1
giwin ftgen 0, 0, 512, 20, 2

instr 1
  ain oscili 0.5, 440
  aout cross2 ain, ain, 1000, 2, giwin, 0.5
endin
</CsInstruments>
<CsScore>
i 1 0 0.5
i 1 0.6 0.5
e
</CsScore>
</CsoundSynthesizer>
