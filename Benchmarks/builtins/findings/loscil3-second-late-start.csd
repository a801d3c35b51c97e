<CsoundSynthesizer>
<CsOptions>
-n -m0 -d --sample-accurate
</CsOptions>
<CsFileB filename=loscil3-second-late-start.wav>
UklGRiQBAABXQVZFZm10IBAAAAABAAIAgLsAAADuAgAEABAAZGF0YQABAAAAQABAAEAAQABA
AEAAQABAAEAAQABAAEAAQABAAEAAQABAAEAAQABAAEAAQABAAEAAQABAAEAAQABAAEAAQABA
AEAAQABAAEAAQABAAEAAQABAAEAAQABAAEAAQABAAEAAQABAAEAAQABAAEAAQABAAEAAQABA
AEAAQABAAEAAQABAAEAAQABAAEAAQABAAEAAQABAAEAAQABAAEAAQABAAEAAQABAAEAAQABA
AEAAQABAAEAAQABAAEAAQABAAEAAQABAAEAAQABAAEAAQABAAEAAQABAAEAAQABAAEAAQABA
AEAAQABAAEAAQABAAEAAQABAAEAAQABAAEAAQABA
</CsFileB>
<CsInstruments>
; Prints sample 31 of both outputs for a stereo table, in a note that starts at sample 32 of a block. The output variables
; hold 1 before. In the second it stays. Right: both are 0 before the note's start.
; Opcode: loscil3, loscil3phs, flooper
; Problem: With --sample-accurate, the second output of a note that starts inside a block is not cleared before it.
; Seen: wrong values
; Expected: v1 = 0, v2 = 0
; Check: edges-outputs
; Source: OOps/ugens3.c, loscil3 and loscil3_phs
; Patch: Clear ar2, not ar1 again, in the branch for stereo.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1
gisound ftgen 0, 0, 0, 1, "loscil3-second-late-start.wav", 0, 0, 0
gaone init 1
gatwo init 1

instr 1
  gaone, gatwo loscil3 1, 440, gisound, 440, 1
endin

instr 2
  if timeinstk() == 1 then
    printks "seen %f %f\n", 0, vaget(31, gaone), vaget(31, gatwo)
  endif
endin
</CsInstruments>
<CsScore>
i 1 [32.5/48000] 0.1
i 2 0 0.1
e
</CsScore>
</CsoundSynthesizer>
