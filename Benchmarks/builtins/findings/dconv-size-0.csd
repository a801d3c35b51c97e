<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Ends Csound with a segmentation fault: a size of 0 is accepted. Right: an init error.
; Opcode: dconv
; Problem: A size of 0 crashes Csound.
; Seen: crash
; Expected: no crash
; Check: arguments-i-extremes
; Source: Opcodes/ugmoss.c, dconvset
; Patch: Return an init error where isize is below 1.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1
gitable ftgen 0, 0, 64, 10, 1

instr 1
  ain init 0.5
  aout dconv ain, 0, gitable
endin
</CsInstruments>
<CsScore>
i 1 0 0.5
e
</CsScore>
</CsoundSynthesizer>
