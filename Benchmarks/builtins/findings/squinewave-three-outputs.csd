<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Prints a sample of the second block from two outputs and from three: any number of outputs is
; accepted, but there is room for two; with a third all inputs are read one place early.
; Right: the same value twice, or a syntax error.
; Opcode: squinewave
; Problem: A third output is accepted, and all inputs are read one place early.
; Seen: wrong values
; Expected: v1 = v2 or an error
; Source: Opcodes/squinewave.c, squinewave_localops
; Patch: Register the outputs "a" and "aa" instead of "am".
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

instr 1
  acps init 440
  aclip init 0.5
  askew init 0.3
  aone, async squinewave acps, aclip, askew
  atwo, async2, a3 squinewave acps, aclip, askew
  if timeinstk() == 2 then
    printks "seen %f %f\n", 0, vaget(63, aone), vaget(63, atwo)
  endif
endin
</CsInstruments>
<CsScore>
i 1 0 0.1
e
</CsScore>
</CsoundSynthesizer>
