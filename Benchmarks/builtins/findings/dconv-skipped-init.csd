<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Reads through a null pointer: an igoto over the line leaves it without its memory.
; So do syncgrain, waveset, wgpluck2, wterrain, zfilter2 and repluck, the six others.
; Right: a performance error, as ftconv and freeverb give.
; Opcode: dconv, flanger, linseg, poscil, poscil3, resony, streson, table, tablei, wguide1, pvstencil and 6 others
; Problem: An igoto over the opcode crashes Csound.
; Seen: crash
; Expected: no crash
; Check: life-skipped-init
; Source: Opcodes/ugmoss.c, dconv; the same in develop of October 2024
; Patch: Return a performance error where sigbuf.auxp is null, before p->ftp is read.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1
gitable ftgen 0, 0, 256, 10, 1
instr 1
  ain rand 0.5, 0.3, 1
  igoto behind
  aout dconv ain, 256, gitable
behind:
  outc ain
endin
</CsInstruments>
<CsScore>
i 1 0 0.1
e
</CsScore>
</CsoundSynthesizer>
