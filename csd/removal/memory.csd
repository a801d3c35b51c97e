<CsoundSynthesizer>
<CsInstruments>
; Opcodes that wait for memory: 150 delay lines of one second each, read at random.
sr = 48000
ksmps = 4
nchnls = 1
0dbfs = 1

seed 1

instr 1
  ain oscili 0.1, 200 + p4
  adelayed vdelay3 ain, 500 + rnd:i(450), 1000
  afar vdelay3 ain, randh:a(450, 4000, 0.3, 1, 500), 1000
  amixed = ain + adelayed * 0.3 + afar * 0.3
  out amixed * 0.01
endin
</CsInstruments>
<CsScore>
{ 150 N
i 1 0 1 $N
}
e
</CsScore>
</CsoundSynthesizer>
