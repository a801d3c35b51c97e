<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Reads a table after ftfree has deleted it. poscil3 and oscili alike.
; Right: look the table up in each pass, or end the note.
; Opcode: poscil and every other oscillator, table, buzz, dconv, ftconv, opcodes of grains and terrains
; Problem: Plays on from a table that ftfree has deleted.
; Seen: crash
; Expected: no crash
; Check: arguments-deleted-table
; Source: Opcodes/uggab.c, posc_set and posckk
; Patch: Keep the table alive while a note holds it, or look it up in each pass.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1
gitable ftgen 0, 0, 65536, 10, 1
instr 1
  aout poscil 0.5, 440, gitable
  outc aout
endin
instr 2
  ftfree gitable, 0
endin
</CsInstruments>
<CsScore>
i 1 0 0.1
i 2 0.03 0.01
e
</CsScore>
</CsoundSynthesizer>
