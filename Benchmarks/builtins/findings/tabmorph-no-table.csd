<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Ends Csound with an arithmetic exception: the index is divided by the length of no table. Right: an init error.
; Opcode: tabmorph, tabmorphi, tabmorpha, tabmorphak
; Problem: A call without a table crashes Csound.
; Seen: crash
; Expected: no crash
; Check: arguments-count
; Source: Opcodes/gab/tabmorph.c, tabmorph_set
; Patch: Return an init error where numOfTabs is 0.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1
instr 1
  kout tabmorph 3, 0, 0, 0
endin
</CsInstruments>
<CsScore>
i 1 0 0.1
e
</CsScore>
</CsoundSynthesizer>
