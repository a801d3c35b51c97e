<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; At a frequency of -1 in performance it calls InitError, which is for the init pass: the whole performance
; ends, the notes behind it are not played. Right: an error in performance ends the note, or silence.
; Opcode: wgbowedbar
; Problem: A frequency of 0 or less ends the performance.
; Seen: wrong values
; Expected: v1 = 0, v2 = 0.4, v3 = 0.5
; Check: arguments-k-extremes
; Source: Opcodes/bowedbar.c, bowedbar
; Patch: Call PerfError, not InitError, in the performance pass.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

instr 1
  kfreq linseg 220, 0.1, -1
  aout wgbowedbar 0.5, kfreq, 0.5, 0.5, 0.9
  prints "seen %f\n", p2
endin

instr 2
  prints "seen %f\n", p2
endin
</CsInstruments>
<CsScore>
i 1 0 0.3
i 2 0.4 0.1
i 1 0.5 0.1
e
</CsScore>
</CsoundSynthesizer>
