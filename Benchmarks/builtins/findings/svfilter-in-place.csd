<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Prints the energy of the lowpass of an impulse in a variable of its own, and in the input's variable.
; The second is 0: each input sample is overwritten before it is read. Right: the same twice.
; Opcode: svfilter
; Problem: With the same variable at input and output it puts out silence.
; Seen: wrong values
; Expected: v1 = v2, v3 = v4
; Check: edges-in-place
; Source: Opcodes/ugsc.c, svf
; Patch: Read in[n] before low[n], high[n] and band[n] are written.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

instr 1
  ain mpulse 1, 0
  alow, ahigh, aband svfilter ain, 1000, 2
  ain, ahigh2, aband2 svfilter ain, 1000, 2
  kone rms alow
  ktwo rms ain
  printks "seen %f %f\n", 0.004, kone, ktwo
endin
</CsInstruments>
<CsScore>
i 1 0 0.006
e
</CsScore>
</CsoundSynthesizer>
