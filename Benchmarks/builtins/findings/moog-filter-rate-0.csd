<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Prints a sample of two notes whose formants sweep at a kfiltrate of 0 from the start, and of 1e-12. The first sweeps at the
; rate that is set inside, because a rate that is 0 is taken for unchanged. Right: nearly the same value twice.
; Opcode: moog
; Problem: A kfiltrate of 0 from the start is not taken over.
; Seen: wrong values
; Expected: v1 = v2 within 0.000001
; Check: invariance-zero-control
; Source: Opcodes/moog1.c, Moog1set: oldfilterRate begins at 0
; Patch: Let oldfilterQ and oldfilterRate begin at -1.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1
gisine ftgen 0, 0, 1024, 10, 1

instr 1
  aone moog 0.5, 220, 0.8, 0, 0, 0, gisine, gisine, gisine
  atwo moog 0.5, 220, 0.8, 1e-12, 0, 0, gisine, gisine, gisine
  if timeinstk() == 20 then
    printks "seen %.9f %.9f\n", 0, vaget(63, aone), vaget(63, atwo)
  endif
endin
</CsInstruments>
<CsScore>
i 1 0 0.1
e
</CsScore>
</CsoundSynthesizer>
