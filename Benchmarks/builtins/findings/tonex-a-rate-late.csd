<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Prints the last sample of a constant 1 in the first block through tonex with the cutoff at k-rate and at
; a-rate: the cutoff of 1000 Hz came into the a-rate variable after the init pass, and the opcode still
; uses the 0 Hz of the init pass in the first block. Right: the same value twice.
; Opcode: tonex
; Problem: An a-rate cutoff comes a block late.
; Seen: wrong values
; Expected: v1 = v2
; Check: edges-start-samples
; Source: Opcodes/afilters.c, tonexa
; Patch: Read c1 and c2 after they are computed from the cutoff.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

instr 1
  ain init 1
  kcut init 1000
  acut upsamp kcut
  aone tonex ain, kcut, 1
  atwo tonex ain, acut, 1
  if timeinstk() == 1 then
    printks "seen %f %f\n", 0, vaget(63, aone), vaget(63, atwo)
  endif
endin
</CsInstruments>
<CsScore>
i 1 0 0.1
e
</CsScore>
</CsoundSynthesizer>
