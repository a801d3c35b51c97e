<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Prints 1 in a second instrument, which plays after a note in which the k-rate table number of oscbnk was wrong.
; The performance pass calls a function that only init passes may call. Csound 7.0 ends the whole performance there,
; with the exit code of a good end.
; Right: 1; the note ends with a performance error, and others play.
; Opcode: oscbnk, grain2, grain3, wterrain2, sterrain
; Problem: A wrong k-rate table number ends the whole performance without an error.
; Seen: wrong values
; Expected: v1 = 1
; Check: arguments-wrong-table
; Source: Opcodes/oscbnk.c, oscbnk: FTFind is called in a performance pass
; Patch: Look the table up with a function for performance passes, and return a performance error.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

giwave ftgen 0, 0, 1024, 10, 1

instr 1
  ktable init giwave
  if timeinstk:k() == 20 then
    ktable = 99
  endif
  aout oscbnk 440, 0.1, 5, 0.1, 4, 200, 0.5, 1, 0.5, 1, 0, 1000, 5000, 0.5, 2, 1, 2, -1, ktable, giwave, giwave
endin

instr 2
  prints "\nseen %d\n", 1
endin
</CsInstruments>
<CsScore>
i 1 0 0.1
i 2 0.2 0.01
e
</CsScore>
</CsoundSynthesizer>
