<CsoundSynthesizer>
<CsOptions>
-n -m0 -d --sample-accurate
</CsOptions>
<CsInstruments>
; Prints sample 60 of the last block of a note that ends after 24 samples of it: the instrument goes on. Right: 0.
; Opcode: STKBeeThree and 25 other opcodes that begin with STK
; Problem: With --sample-accurate the instrument sounds on after the end of a note inside a block.
; Seen: wrong values
; Expected: v1 = 0
; Check: edges-after-end
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1
ga1 init 0

instr 1
  ga1 STKBeeThree 440, 1
endin

instr 2
  if timeinstk() == 6 then
    printks "seen %.9f\n", 0, vaget(60, ga1)
  endif
endin
</CsInstruments>
<CsScore>
i 1 0 [(64*5+24)/48000]
i 2 0 0.1
e
</CsScore>
</CsoundSynthesizer>
