<CsoundSynthesizer>
<CsInstruments>
; Three bells, each at full scale, rung together: MIXCLIP keeps the sum within full scale.
;   csound --opcode-lib=./build/libopcodes.so csd/MIXCLIP.csd -odac
; Every macro can be set from outside: --omacro:OPCODE=MixClipUDO plays the same rule in Csound's own
; language.

sr = 48000
ksmps = 64
nchnls = 1
#ifndef FULLSCALE
#define FULLSCALE #1#
#end
0dbfs = $FULLSCALE

#ifndef OPCODE
#define OPCODE #MIXCLIP#
#end
; The signals: Bell, Noise, Sine, Square or Input (the sound card, or a file the harness feeds).
#ifndef SIGNAL
#define SIGNAL #Bell#
#end
; The level of each, 1 is full scale.
#ifndef LEVEL
#define LEVEL #1#
#end
#ifndef DURATION
#define DURATION #4#
#end
; FORM is List, three signals, or Array, an array of them.
#ifndef FORM
#define FORM #List#
#end
#define LEVELFACTOR #$LEVEL*0dbfs#

opcode Bell, a, ii
  ichannel, ivoice xin
  istrokes[] fillarray 3, 4, 5
  inotes[] fillarray 76, 71, 64
  istrike = istrokes[ivoice - 1] / 4
  aphase phasor istrike
  ipitch = cpsmidinn(inotes[ivoice - 1] - 12 * (ichannel - 1))
  apartials = oscili(0.6, ipitch) + oscili(0.3, ipitch * 2.76) + oscili(0.1, ipitch * 5.4)
  xout $LEVELFACTOR * apartials * exp(-5 * aphase)
endop

opcode Noise, a, ii
  ichannel, ivoice xin
  anoise rand $LEVELFACTOR, 0.5 / (ichannel + ivoice), 1
  xout anoise
endop

opcode Sine, a, ii
  ichannel, ivoice xin
  asine oscili $LEVELFACTOR, 100 * ichannel * ivoice * ivoice
  xout asine
endop

opcode Square, a, ii
  ichannel, ivoice xin
  aphase phasor 150 * ichannel * ivoice
  asquare = $LEVELFACTOR * limit((0.5 - aphase) * 1e9, -1, 1)
  xout asquare
endop

opcode Input, a, ii
  ichannel, ivoice xin
  ainput inch ichannel
  adelayed delay ainput, 0.01 * ivoice
  xout adelayed
endop

; The rule for two signals: what both have above 0, and what both have below.
opcode MixTwo, a, aa
  aone, atwo xin
  aabove = limit(aone, 0, 1e30) * limit(atwo, 0, 1e30)
  abelow = limit(aone, -1e30, 0) * limit(atwo, -1e30, 0)
  xout aone + atwo + (abelow - aabove) / 0dbfs
endop

opcode MixClipUDO, a, aaa
  aone, atwo, athree xin
  xout MixTwo(MixTwo(aone, atwo), athree)
endop

opcode MixClipUDO, a, a[]
  asignals[] xin
  xout MixTwo(MixTwo(asignals[0], asignals[1]), asignals[2])
endop

instr List
  a1 $SIGNAL p4, 1
  a2 $SIGNAL p4, 2
  a3 $SIGNAL p4, 3
  amix init 0
#ifndef EMPTY
  amix $OPCODE a1, a2, a3
#end
#ifndef MUTED
  outch p4, amix
#end
endin

instr Array
  asignals[] init 3
  asignals[0] $SIGNAL p4, 1
  asignals[1] $SIGNAL p4, 2
  asignals[2] $SIGNAL p4, 3
  amix init 0
#ifndef EMPTY
  amix $OPCODE asignals
#end
#ifndef MUTED
  outch p4, amix
#end
endin

; NOTES notes for each output channel.
#ifndef NOTES
#define NOTES #1#
#end
inote = 0
while inote < $NOTES * nchnls do
  schedule "$FORM", 0, $DURATION, inote % nchnls + 1
  inote += 1
od
event_i "e", 0, $DURATION
</CsInstruments>
<CsScore>
f 0 z
</CsScore>
</CsoundSynthesizer>
