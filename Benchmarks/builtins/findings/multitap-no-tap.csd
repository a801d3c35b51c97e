<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Ends Csound with a segmentation fault: a call without a tap has no delay line. Right: an init error.
; Opcode: multitap
; Problem: A call without a tap crashes Csound.
; Seen: crash
; Expected: no crash
; Check: arguments-count
; Source: OOps/vdelay.c, multitap_set and multitap_play
; Patch: Return an init error where there is no tap.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1
instr 1
  ain rand 0.5, 0.3, 1
  aout multitap ain
endin
</CsInstruments>
<CsScore>
i 1 0 0.3
e
</CsScore>
</CsoundSynthesizer>
