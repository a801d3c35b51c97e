<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Copies a table that there is not, in performance: the whole performance ends, the notes behind it are not played.
; Right: an error in performance ends the note, or nothing is copied.
; Opcode: tablecopy, tablegpw, tablemix, tableng, tablera, tablewa
; Problem: A table that is missing in performance ends the whole performance.
; Seen: wrong values
; Expected: v1 = 0, v2 = 0.4, v3 = 0.5
; Check: arguments-wrong-table, arguments-negative-table, arguments-deleted-table
; Source: OOps/ugtabs.c, table_copy and others: looking the table up calls InitError, which is for the init pass
; Patch: Look it up with what is meant for performance, or return a performance error.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

instr 1
  prints "seen %f\n", p2
  tablecopy k(99), k(98)
endin

instr 2
  prints "seen %f\n", p2
endin
</CsInstruments>
<CsScore>
i 1 0 0.3
i 2 0.4 0.1
i 1 0.5 0.1
e
</CsScore>
</CsoundSynthesizer>
