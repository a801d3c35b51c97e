<CsoundSynthesizer>
<CsOptions>
-n -m0 -d --sample-accurate
</CsOptions>
<CsInstruments>
; Prints sample 5 of a block in which a note of grain3 starts at sample 32.
; Right: 0
; Opcode: grain3
; Problem: With --sample-accurate, a note that starts inside a block sounds from the front of the block.
; Seen: wrong values
; Expected: v1 = 0
; Check: edges-before-start
; Source: Opcodes/oscbnk.c, grain3: aout begins at the front of the block; the same in develop of October 2024
; Patch: Begin at offset.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

giwave ftgen 0, 0, 1024, 10, 1
giwindow ftgen 0, 0, 1024, 20, 2

gaout init 0

instr 1
  gaout grain3 440, 0, 0, 0, 0.05, 100, 20, giwave, giwindow, 0, 0
endin

instr 2
  if timeinstk() == 1 then
    printks "seen %f\n", 0, vaget(5, gaout)
  endif
endin
</CsInstruments>
<CsScore>
i 1 [32.5/48000] 0.1
i 2 0 0.1
e
</CsScore>
</CsoundSynthesizer>
