<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Mixes tables of 4000 numbers into one of 6000. The last 2000 places of the destination are wrapped to places before
; the table, and what is there is written over: it ends its process.
; Right: the sources' numbers from their beginning.
; Opcode: tablemix
; Problem: Where the destination's length is no power of two and the first source is shorter, it writes before the table.
; Seen: crash
; Expected: v1 = 1, v2 = 1
; Source: OOps/ugtabs.c, table_mix: the destination's place is compared with len1, the first source's length
; Patch: Compare it with flen, and take np21 from the first source's length.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

gione ftgen 0, 0, -4000, -7, 1, 4000, 1
gizero ftgen 0, 0, -4000, -2, 0
gimix ftgen 0, 0, -6000, -2, 0

instr 1
  tablemix k(gimix), 0, 6000, k(gione), 0, 1, k(gizero), 0, 1
  if timeinstk() == 1 then
    printks "seen %f %f\n", 0, table:k(4000, gimix), table:k(5999, gimix)
  endif
endin
</CsInstruments>
<CsScore>
i 1 0 0.01
e
</CsScore>
</CsoundSynthesizer>
