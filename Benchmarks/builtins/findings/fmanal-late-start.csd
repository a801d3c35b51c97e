<CsoundSynthesizer>
<CsOptions>
-n -m0 -d --sample-accurate
</CsOptions>
<CsInstruments>
; Prints two variables that are 7 after fmanal in a note that starts at sample 32 of a block: they are 0.
; The 32 values to be cleared at the front of its outputs are looked for behind them.
; With other variables there it may end Csound. Right: 7 twice.
; Opcode: fmanal
; Problem: With --sample-accurate, a start inside a block writes over other variables.
; Seen: wrong values
; Expected: v1 = 7, v2 = 7
; Check: edges-before-start
; Source: Opcodes/pvlock.c, am_fm
; Patch: Clear the first samples at am and fm, not behind nsmps.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

instr 1
  are init 0.5
  aim init 0.2
  aam, afm fmanal are, aim
  kone init 7
  ktwo init 7
  if timeinstk() == 1 then
    printks "seen %f %f\n", 0, kone, ktwo
  endif
endin
</CsInstruments>
<CsScore>
i 1 [32.5/48000] 0.1
e
</CsScore>
</CsoundSynthesizer>
