<CsoundSynthesizer>
<CsOptions>
-n -m0 -d --sample-accurate
</CsOptions>
<CsInstruments>
; Prints sample 63 of two notes that start at sample 32 of a block, with a frequency of 4800 Hz at k-rate and at a-rate.
; The second reads the frequencies from the front of the block, where they are still 0. Right: the same value twice.
; Opcode: wguide1
; Problem: With --sample-accurate, a note that starts inside a block has the frequency of other frames in it.
; Seen: wrong values
; Expected: v1 = v2
; Check: edges-start-samples
; Source: Opcodes/flanger.c, wguide1: freq_del begins at the block's first frame
; Patch: Read freq_del[n].
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1
gaone init 0
gatwo init 0

instr 1
  ain upsamp 1
  afrequency upsamp 4800
  gaone wguide1 ain, 4800, 20000, 0.5
  gatwo wguide1 ain, afrequency, 20000, 0.5
endin

instr 2
  if timeinstk() == 1 then
    printks "seen %f %f\n", 0, vaget(63, gaone), vaget(63, gatwo)
  endif
endin
</CsInstruments>
<CsScore>
i 1 [32.5/48000] 0.1
i 2 0 0.1
e
</CsScore>
</CsoundSynthesizer>
