<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Ends Csound with a segmentation fault: with istor in a fresh note the level that the input is divided by is 0, and
; 0 / 0 becomes an index into the table. Right: a fresh note begins with a level whatever istor says.
; Opcode: distort
; Problem: istor in the first note crashes Csound where the input begins with 0.
; Seen: crash
; Expected: no crash
; Check: life-first-skip
; Source: Opcodes/compress.c, distset and distort
; Patch: Set prvd where it is 0, too.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1
gitable ftgen 1, 0, 1024, 10, 1
instr 1
  ain init 0
  aout distort ain, 0.5, 1, 10, 1
endin
</CsInstruments>
<CsScore>
i 1 0 0.1
e
</CsScore>
</CsoundSynthesizer>
