<CsoundSynthesizer>
<CsOptions>
-n -m0 -d --sample-accurate
</CsOptions>
<CsInstruments>
; A note starts at sample 32 of a block. The 32 values to be cleared are looked for behind the vector,
; not at its front: other variables are overwritten, and the second note, in the same memory, ends
; Csound with a segmentation fault. Right: two notes and nothing printed.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

instr 1
  are init 0.5
  aim init 0.2
  aam, afm fmanal are, aim
  a1 init 0.3
  a2 init 0.3
  a3 oscili aam, afm
  a4 oscili a1, 440
  a5 oscili a2, 440
  a6 moogladder are, a1, a2
  a7 oscili a6, 440
  a8 limit a7, 0, 1
endin
</CsInstruments>
<CsScore>
i 1 [32.5/48000] 0.1
i 1 0.2 0.1
e
</CsScore>
</CsoundSynthesizer>
