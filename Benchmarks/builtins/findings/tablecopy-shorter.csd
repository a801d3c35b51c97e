<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Copies a table of 4 numbers, 1 to 4, to one of 8, and prints the last four. The source is read with a period of 5:
; its guard point is taken for a number of the table.
; Right: the source again from its beginning, 1 2 3 4.
; Opcode: tablecopy
; Problem: A source shorter than the destination is repeated with its guard point.
; Seen: wrong values
; Expected: v1 = 1, v2 = 2, v3 = 3, v4 = 4
; Source: OOps/ugtabs.c, table_copy: rp is set back at len2, not before it
; Patch: Set rp back to 0 where rp + 1 equals len2.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

gisource ftgen 0, 0, 4, -2, 1, 2, 3, 4
gicopy ftgen 0, 0, 8, -2, 0

instr 1
  tablecopy k(gicopy), k(gisource)
  if timeinstk() == 1 then
    printks "seen %f %f %f %f\n", 0, table:k(4, gicopy), table:k(5, gicopy), table:k(6, gicopy), table:k(7, gicopy)
  endif
endin
</CsInstruments>
<CsScore>
i 1 0 0.01
e
</CsScore>
</CsoundSynthesizer>
