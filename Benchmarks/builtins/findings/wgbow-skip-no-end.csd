<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Does not come to an end: a negative iminfreq skips the init pass, and in a fresh note the delay lines have
; no length.
; Right: a fresh note is set up whatever iminfreq is.
; Opcode: wgbow, wgclar, wgflute
; Problem: A negative iminfreq in the first note never comes to an end.
; Seen: no end
; Expected: no crash
; Source: Opcodes/physmod.c, bowedset
; Patch: Set up the delay lines where they are not allocated, whatever iminfreq is.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1
gisine ftgen 0, 0, 1024, 10, 1

instr 1
  aout wgbow 0.5, 220, 3, 0.127, 6, 0.01, gisine, -1
endin
</CsInstruments>
<CsScore>
i 1 0 0.3
e
</CsScore>
</CsoundSynthesizer>
