<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Ends Csound with a segmentation fault: the memory of the opcode with a control at a-rate is that of mvclpf3, which has one
; output instead of four. Right: no crash.
; Opcode: mvclpf4
; Problem: A cutoff or resonance at a-rate crashes Csound.
; Seen: crash
; Expected: no crash
; Check: edges-outputs
; Source: Opcodes/newfils.c, localops: three entries of mvclpf4 have sizeof(mvclpf24)
; Patch: Write sizeof(mvclpf24_4).
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1
instr 1
  ain rand 0.5, 0.3, 1
  acutoff = a(1000)
  aone, atwo, athree, afour mvclpf4 ain, acutoff, 0.5
endin
</CsInstruments>
<CsScore>
i 1 0 0.3
e
</CsScore>
</CsoundSynthesizer>
