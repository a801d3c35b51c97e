<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Prints the first sample of two equal notes that follow one another; the second begins with the sound of the
; first. All instruments of the library behave so. Right: the same value twice.
; Opcode: STKBeeThree and 25 other opcodes that begin with STK
; Problem: A note begins with the sound of the note before it.
; Seen: wrong values
; Expected: v1 = v2
; Check: life-recycled
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

instr 1
  aout STKBeeThree 440, 1
  if timeinstk() == 1 then
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
