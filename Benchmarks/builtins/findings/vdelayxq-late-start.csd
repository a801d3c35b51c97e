<CsoundSynthesizer>
<CsOptions>
-n -m0 -d --sample-accurate
</CsOptions>
<CsInstruments>
; Prints sample 33 of vdelayx and vdelayxq in a note that starts at sample 32 of a block, with the same input and delay.
; vdelayxq reads the delay times from the front of the block, where they are still 0. Right: the same twice.
; Opcode: vdelayxq
; Problem: With --sample-accurate, a note that starts inside a block has the delay times of other frames in it.
; Seen: wrong values
; Expected: v1 = v2
; Check: edges-start-samples
; Source: OOps/vdelay.c, vdelayxq: *del++ begins at 0; the same in develop of October 2024
; Patch: Read del[n], as vdelayx does.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

gaone init 0
gafour init 0

instr 1
  adelay = a(12 / sr)
  ain = a(1)
  gaone vdelayx ain, adelay, 1, 4
  gafour, a2, a3, a4 vdelayxq ain, ain, ain, ain, adelay, 1, 4
endin

instr 2
  if timeinstk() == 1 then
    printks "seen %f %f\n", 0, vaget(33, gaone), vaget(33, gafour)
  endif
endin
</CsInstruments>
<CsScore>
i 1 [32.5/48000] 0.1
i 2 0 0.1
e
</CsScore>
</CsoundSynthesizer>
