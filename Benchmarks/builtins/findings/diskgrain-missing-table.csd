<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Ends Csound 7.0 with a segmentation fault: the table and the file that diskgrain asks for are not there.
; Right: an init error, as in 6.18.
; Opcode: diskgrain
; Problem: With a table and a file that are not there it crashes Csound.
; Seen: crash
; Expected: no crash
; Source: Opcodes/syncgrain.c, filegrain_init
; Patch: Return the init error of the missing table before anything is read through its address.
sr = 48000
ksmps = 64
nchnls = 2
0dbfs = 1

instr 1
  aleft, aright diskgrain "none.wav", 0.5, 10, 1, 1, 1, 0, 1
  outs aleft, aright
endin
</CsInstruments>
<CsScore>
i 1 0 0.1
e
</CsScore>
</CsoundSynthesizer>
