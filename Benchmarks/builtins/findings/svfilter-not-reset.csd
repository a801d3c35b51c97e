<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Prints the first sample of the lowpass in two equal notes that follow one another; the second starts with
; the state of the first. The init pass clears the state when iskip is not 0, and keeps it when it is 0.
; Right: the same value twice.
; Opcode: svfilter
; Problem: iskip is the wrong way round: left out, a note begins with the state of the one before.
; Seen: wrong values
; Expected: v1 = v2
; Check: life-recycled
; Source: Opcodes/ugsc.c, svfset
; Patch: Clear the state where iskip is 0.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

instr 1
  ain init 0.5
  alow, ahigh, aband svfilter ain, 1000, 2
  if timeinstk() == 1 then
    printks "seen %.9f\n", 0, vaget(0, alow)
  endif
endin
</CsInstruments>
<CsScore>
i 1 0 0.1
i 1 0.2 0.1
e
</CsScore>
</CsoundSynthesizer>
