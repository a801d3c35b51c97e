<CsoundSynthesizer>
<CsInstruments>
; A control array of eight, scaled to a sum; eight calls in a pass.

sr = 48000
ksmps = 64
nchnls = 8
0dbfs = 1

#ifndef OPCODE
#define OPCODE #NORMIN#
#end
#ifndef DURATION
#define DURATION #1#
#end

instr 1
  kvalues[] fillarray 1, 2, 3, 4, 5, 6, 7, 8
  kvalues[0] oscili 1, 3
  k1[] init 8
  k2[] init 8
  k3[] init 8
  k4[] init 8
  k5[] init 8
  k6[] init 8
  k7[] init 8
  k8[] init 8
#ifndef EMPTY
  k1 $OPCODE kvalues, 1
  k2 $OPCODE kvalues, 2
  k3 $OPCODE kvalues, 3
  k4 $OPCODE kvalues, 4
  k5 $OPCODE kvalues, 5
  k6 $OPCODE kvalues, 6
  k7 $OPCODE kvalues, 7
  k8 $OPCODE kvalues, 8
#end
#ifndef MUTED
  outch 1, a(k1[0])
  outch 2, a(k2[1])
  outch 3, a(k3[2])
  outch 4, a(k4[3])
  outch 5, a(k5[4])
  outch 6, a(k6[5])
  outch 7, a(k7[6])
  outch 8, a(k8[7])
#end
endin

#ifndef NOTES
#define NOTES #1#
#end
inote = 0
while inote < $NOTES do
  schedule 1, 0, $DURATION
  inote += 1
od
event_i "e", 0, $DURATION
</CsInstruments>
<CsScore>
f 0 z
</CsScore>
</CsoundSynthesizer>
