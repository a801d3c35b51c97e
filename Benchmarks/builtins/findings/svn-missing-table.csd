<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Ends Csound with a segmentation fault: the number of a table that is not there is not looked at before
; the table is used. Right: an init error.
; Opcode: svn
; Problem: A table that is not there crashes Csound.
; Seen: crash
; Expected: no crash
; Check: arguments-i-extremes
; Source: Opcodes/newfils.c, svn_init
; Patch: Return an init error where FTnp2Find returns null.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

instr 1
  ain init 0.5
  ahigh, alow, aband, anotch svn ain, 1000, 2, 0.5, 999
endin
</CsInstruments>
<CsScore>
i 1 0 0.1
e
</CsScore>
</CsoundSynthesizer>
