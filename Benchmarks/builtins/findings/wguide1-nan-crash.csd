<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Ends Csound with a segmentation fault: NaN as a frequency becomes a place in a delay line far outside.
; The fm, wg and table opcodes of the report do the same. Right: NaN or silence, and no other memory.
; Opcode: wguide1, pluck, wterrain, wterrain2, sterrain and 25 others
; Problem: NaN as a frequency crashes Csound.
; Seen: crash
; Expected: no crash
; Check: numbers-nan-next-note
; Source: Opcodes/flanger.c, wguide1; the same in develop of October 2024
; Patch: Limit the delay with comparisons that NaN fails, before it becomes an index.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

instr 1
  ain init 0.5
  kinf = exp(1000)
  knan = kinf - kinf
  aout wguide1 ain, knan, 3000, 0.5
endin
</CsInstruments>
<CsScore>
i 1 0 0.1
e
</CsScore>
</CsoundSynthesizer>
