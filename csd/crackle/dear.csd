; Crackles from 1 s on: Cloud has more partials than a k-cycle has time for.
<CsoundSynthesizer>
<CsOptions>
-odac
</CsOptions>
<CsInstruments>
sr = 48000
ksmps = 64
nchnls = 2
0dbfs = 1

instr Bell
  out poscil:a(linen:a(0.1, 0.01, p3, 0.1), p4)
endin

; A k-rate loop over 120,000 partials: each k-cycle of 1.3 ms takes several milliseconds.
instr Cloud
  kpartial = 0
  ksum = 0
  while kpartial < 120000 do
    ksum += cos(kpartial * 0.01)
    kpartial += 1
  od
  out a(ksum * 1e-6)
endin
</CsInstruments>
<CsScore>
i "Bell" 0 3 440
i "Cloud" 1 1
</CsScore>
</CsoundSynthesizer>
