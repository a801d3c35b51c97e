<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Ends Csound with a segmentation fault: the first point is read, also where the call has none. Right: an error.
; Opcode: bpf, bpfcos
; Problem: A call without points crashes Csound.
; Seen: crash
; Expected: no crash
; Check: arguments-count
; Source: Opcodes/emugens/emugens.c, bpfx_init
; Patch: Return an init error where there are fewer than two points.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1
instr 1
  kx init 1
  kout bpf kx
endin
</CsInstruments>
<CsScore>
i 1 0 0.1
e
</CsScore>
</CsoundSynthesizer>
