<CsoundSynthesizer>
<CsOptions>
-n -m0 -d --sample-accurate
</CsOptions>
<CsInstruments>
; Prints how far noise goes in the first block of a note that starts at sample 32 of a block, with an amplitude of 1 at a-rate.
; noise reads the amplitude from the front of the block, where it is still 0. Right: noise from sample 32 on.
; Opcode: noise, pinkish, buzz, tablexkt, randh, jspline, rspline, oscilikt, oscilikts
; Problem: With --sample-accurate, a note that starts inside a block has the amplitude of other frames in it.
; Seen: wrong values
; Expected: 0.001 < v1
; Check: edges-start-gate
; Source: Opcodes/pitch.c, varicol: kamp begins at the block's first frame
; Patch: Let kamp begin at the note's first frame.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1
ganoise init 0

instr 1
  ganoise noise a(1), 0
endin

instr 2
  if timeinstk() == 1 then
    kpeak = 0
    kindex = 0
    while kindex < 64 do
      kpeak = max(kpeak, abs(vaget(kindex, ganoise)))
      kindex += 1
    od
    printks "seen %f\n", 0, kpeak
  endif
endin
</CsInstruments>
<CsScore>
i 1 [32.5/48000] 0.1
i 2 0 0.1
e
</CsScore>
</CsoundSynthesizer>
