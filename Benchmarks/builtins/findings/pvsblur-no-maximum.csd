<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Ends Csound with a floating-point exception: a greatest blur time of 0 is accepted and divides by 0.
; Right: an init error.
; Opcode: pvsblur
; Problem: A maximum blur time of 0 crashes Csound.
; Seen: crash
; Expected: no crash
; Check: arguments-i-extremes
; Source: Opcodes/pvsbasic.c, pvsblurset
; Patch: Return an init error where imaxdel is below the time of one frame.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

instr 1
  ain oscili 0.5, 440
  fsig1 pvsanal ain, 512, 128, 512, 1
  fsig2 pvsblur fsig1, 0.02, 0
endin
</CsInstruments>
<CsScore>
i 1 0 0.5
e
</CsScore>
</CsoundSynthesizer>
