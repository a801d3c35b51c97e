<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Ends Csound with a broken heap: at kfmin above sr the length becomes 0, the position is never equal
; to it again and counts on behind the buffers. Right: a length of at least 1.
; Opcode: pitchac
; Problem: A lowest frequency above sr crashes Csound.
; Seen: crash
; Expected: no crash
; Check: arguments-k-extremes
; Source: Opcodes/pitchtrack.c, pitchafproc
; Patch: Let the length be at least 1.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

instr 1
  ain oscili 0.5, 440
  kpitch pitchac ain, 100000, 200000, 50
endin
</CsInstruments>
<CsScore>
i 1 0 5
e
</CsScore>
</CsoundSynthesizer>
