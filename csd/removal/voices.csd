<CsoundSynthesizer>
<CsInstruments>
; Many notes with blocks of a usual length.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

instr 1
  kenvelope linseg 0, p3 / 2, 1, p3 / 2, 0
  asaw vco2 0.2, 100 + p4 * 7
  afiltered butterlp asaw, 600 + 1000 * kenvelope
  adelayed vdelay afiltered, 30, 100
  ashaped tanh afiltered + adelayed
  out ashaped * kenvelope * 0.03
endin
</CsInstruments>
<CsScore>
{ 40 N
i 1 [$N * 0.1] 6 $N
}
e
</CsScore>
</CsoundSynthesizer>
