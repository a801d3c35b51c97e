<CsoundSynthesizer>
<CsOptions>
-n -m0 -d --sample-accurate
</CsOptions>
<CsInstruments>
; Ends Csound with a segmentation fault: in a note that ends inside a block, the frames behind the end are taken off the
; block once for each overlap, until a number without a sign goes below 0. Right: no crash.
; Opcode: sndwarp
; Problem: With --sample-accurate, a note that ends inside a block crashes Csound.
; Seen: crash
; Expected: no crash
; Check: edges-outputs, edges-start-gate
; Source: Opcodes/sndwarp.c, sndwarp: nsmps -= early is in the loop over the overlaps
; Patch: Put it before the loop.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1
gisound ftgen 0, 0, 32768, 10, 1
giwindow ftgen 0, 0, 1024, 9, 0.5, 1, 0

instr 1
  aout sndwarp 0.5, 1, 1, gisound, 0, 2000, 200, 4, giwindow, 0
endin
</CsInstruments>
<CsScore>
i 1 0 [4820.5/48000]
e
</CsScore>
</CsoundSynthesizer>
