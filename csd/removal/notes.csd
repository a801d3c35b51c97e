<CsoundSynthesizer>
<CsInstruments>
; Opcodes that are the first and the last of a note, k-cycles of one sample.
sr = 48000
ksmps = 1
nchnls = 1
0dbfs = 1

instr 1
  a1 oscili 0.1, 200
  a2 oscili 0.1, 300
  a3 oscili 0.1, 500
  a4 oscili 0.1, 700
  amixed = a1 + a2 + a3 + a4
  out amixed * 0.02
endin
</CsInstruments>
<CsScore>
{ 24 N
i 1 0 2
}
e
</CsScore>
</CsoundSynthesizer>
