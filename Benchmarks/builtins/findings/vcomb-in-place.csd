<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Prints the energy of vcomb's output in a variable of its own, and in the input's variable.
; The second is 0: each input sample is overwritten before it is read. Right: the same twice.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

instr 1
  ain mpulse 1, 0
  aout vcomb ain, 1, 0.01, 0.05
  ain vcomb ain, 1, 0.01, 0.05
  kone rms aout
  ktwo rms ain
  printk 0.05, kone
  printk 0.05, ktwo
endin
</CsInstruments>
<CsScore>
i 1 0 0.1
e
</CsScore>
</CsoundSynthesizer>
