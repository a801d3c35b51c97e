<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Plays 20000 notes and prints by how many heap blocks of the process they have grown: with
; /usr/bin/time -v csound, the resident size is some megabytes above that of 20 notes.
; Each note makes two settings for Fourier transforms that are given back when the engine is reset only.
; Right: they are shared, or given back with the note.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1
gitable ftgen 0, 0, 4096, 10, 1

instr 1
  aout mincer a(0.1), 0.5, 1, gitable, 1, 512, 4
endin
</CsInstruments>
<CsScore>
i 1 0 0.002
{ 20000 N
i 1 [$N * 0.004] 0.002
}
e
</CsScore>
</CsoundSynthesizer>
