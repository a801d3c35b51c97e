<CsoundSynthesizer>
<CsInstruments>
; Work that comes in a few k-cycles: spectra of 2048 samples, every 512; notes in swarms.
sr = 48000
ksmps = 8
nchnls = 1
0dbfs = 1

gisine ftgen 0, 0, 16384, 10, 1

instr 1
  kswarm metro 4
  schedkwhen kswarm, 0, 0, 2, 0, 0.01
  asource vco2 0.2, 220
  fspectrum pvsanal asource, 2048, 512, 2048, 1
  fblurred pvsblur fspectrum, 0.1, 0.2
  aagain pvsynth fblurred
  asmooth butterlp aagain, 4000
  out asmooth * 0.3
endin

instr 2
  apulse oscili 0.1, 900, gisine
  aladder moogladder apulse, 2000, 0.7
  out aladder
endin
</CsInstruments>
<CsScore>
i 1 0 8
e
</CsScore>
</CsoundSynthesizer>
