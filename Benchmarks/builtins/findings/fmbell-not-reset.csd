<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Prints a sample of the first block of two equal notes that follow one another; they differ.
; Three of the four phases go on from the note before. Right: the same value twice.
; Opcode: fmbell, fmb3, fmmetal, fmpercfl, fmrhode and fmwurlie
; Problem: A note begins with the phases of the note before it.
; Seen: wrong values
; Expected: v1 = v2
; Check: life-recycled
; Source: Opcodes/fm4op.c, make_FM4Op
; Patch: Set all four of w_phase to 0.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1
gisine ftgen 1, 0, 8192, 10, 1

instr 1
  aout fmbell 0.5, 220, 5, 5, 0.05, 6, 1, 1, 1, 1, 1
  if timeinstk() == 1 then
    printks "seen %.9f\n", 0, vaget(63, aout)
  endif
endin
</CsInstruments>
<CsScore>
i 1 0 0.1
i 1 0.2 0.1
e
</CsScore>
</CsoundSynthesizer>
