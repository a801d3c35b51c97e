<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Prints the first sample of the output in two equal notes that follow one another.
; They differ by the state of the first note's end. Right: the same value twice, because iskip is left
; out, and the manual gives 0 for it.
; Opcode: tbvcf
; Problem: iskip left out keeps the state of the note before.
; Seen: wrong values
; Expected: v1 = v2
; Check: life-recycled
; Source: Opcodes/biquad.c, the entry "tbvcf" of localops; the same in develop of October 2024
; Patch: Let the input types end in o (default 0) instead of p (default 1).
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1


instr 1
  kcycle init 0
  kcycle += 1
  ain init 0.5
  aout tbvcf ain, 1000, 0.5, 2, 0.5
  if kcycle == 1 then
    printks "seen %.9f\n", 0, vaget(0, aout)
  endif
endin
</CsInstruments>
<CsScore>
i 1 0 0.1
i 1 0.2 0.1
e
</CsScore>
</CsoundSynthesizer>
