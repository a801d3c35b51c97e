<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Prints the peak of the low-pass output of noise at a cutoff of 8000 Hz and a Q of 20, with iosamps left out. The filter grows
; without bounds, although Q is limited inside, as the manual says, for this. Right: an output that stays in bounds.
; Opcode: statevar
; Problem: A high cutoff with a high Q grows without bounds.
; Seen: wrong values
; Expected: v1 < 1000
; Check: stability-pairs
; Source: Opcodes/newfils.c, statevar_process: it is stable where q > f; the limit is ((2 - f) * 0.05) / iosamps
; Patch: Compute lp with the new bp, or limit q to f.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1
instr 1
  ain rand 0.5, 0.3, 1
  ahigh, alow, aband, areject statevar ain, 8000, 20
  kpeak peak alow
  if timeinstk() == 60 then
    printks "seen %g\n", 0, kpeak
  endif
endin
</CsInstruments>
<CsScore>
i 1 0 0.1
e
</CsScore>
</CsoundSynthesizer>
