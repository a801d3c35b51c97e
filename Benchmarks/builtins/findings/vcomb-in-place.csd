<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Prints the peak of vcomb with an output variable of its own, and with the input's.
; The second is 0: the input is overwritten before it is read. Right: the same peak twice.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1


instr 1
  ain mpulse 1, 0
  aout vcomb ain, 1, 0.01, 0.05
  ain vcomb ain, 1, 0.01, 0.05
  kone max_k aout, 1, 1
  ktwo max_k ain, 1, 1
  kpeak1 init 0
  kpeak2 init 0
  kpeak1 = max(kpeak1, k(kone))
  kpeak2 = max(kpeak2, k(ktwo))
  if timeinstk() == 70 then
    printks "%f %f\n", 0, kpeak1, kpeak2
  endif
endin
</CsInstruments>
<CsScore>
i 1 0 0.1
e
</CsScore>
</CsoundSynthesizer>
