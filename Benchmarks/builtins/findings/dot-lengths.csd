<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Ends Csound with a segmentation fault: the product of an array of 2000000 elements with one of two reads behind
; the shorter one. Right: an error, or the product of the first two elements.
; Opcode: dot
; Problem: Arrays of different lengths: reads behind the shorter one.
; Seen: crash
; Expected: v1 = 2 or an error
; Check: arguments-long-array
; Source: Opcodes/arrayops.cpp, struct Dot
; Patch: Compare the lengths in the performance pass, too.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

instr 1
  kshort[] fillarray 1, 1
  klong[] init 2000000
  kindex = 0
  while kindex < 2000000 do
    klong[kindex] = 1
    kindex += 1
  od
  kout dot klong, kshort
  printks "seen %f\n", 1, kout
endin
</CsInstruments>
<CsScore>
i 1 0 0.01
e
</CsScore>
</CsoundSynthesizer>
