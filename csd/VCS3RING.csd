<CsoundSynthesizer>
<CsInstruments>
; Two sines through the ring modulator of a VCS3: what is heard are their sum and their difference.
;   csound --opcode-lib=./build/libopcodes.so csd/VCS3RING.csd -odac
; Every macro can be set from outside: --omacro:OPCODE=VCS3RingUDO computes the same with Csound's own
; opcodes.

sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

#ifndef OPCODE
#define OPCODE #VCS3RING#
#end
; The first signal: Sine, Noise, Impulse, Burst or Input (the sound card, or a file the harness feeds); the
; second is a sine that rises.
#ifndef SIGNAL
#define SIGNAL #Sine#
#end
#ifndef LEVEL
#define LEVEL #0.7#
#end
#ifndef DURATION
#define DURATION #4#
#end
; How much of the signals comes through; -1 is -60 dB.
#ifndef LEAK
#define LEAK #-1#
#end

opcode Sine, a, i
  ichannel xin
  asine poscil $LEVEL, 440 * ichannel
  xout asine
endop

opcode Noise, a, i
  ichannel xin
  anoise rand $LEVEL, 0.5 / ichannel, 1
  xout anoise
endop

opcode Impulse, a, i
  ichannel xin
  aimpulse mpulse $LEVEL, 0
  xout aimpulse
endop

opcode Burst, a, i
  ichannel xin
  anoise rand $LEVEL, 0.5 / ichannel, 1
  aenvelope linseg 1, 0.1, 1, 0, 0, 1, 0
  xout anoise * aenvelope
endop

opcode Input, a, i
  ichannel xin
  ainput inch ichannel
  xout ainput
endop

; One of a half-band filter's two branches.
opcode Branch, a, aiii
  asignal, i1, i2, i3 xin
  asignal filter2 asignal, 2, 1, i1, 1, i1
  asignal filter2 asignal, 2, 1, i2, 1, i2
  asignal filter2 asignal, 2, 1, i3, 1, i3
  xout asignal
endop

; The same, at twice the samples: even and odd ones are signals of their own.
opcode VCS3RingUDO, a, aak
  aone, atwo, kleak xin
  kleak = kleak < 0 ? 0.001 : kleak
  aone1 Branch aone, 0.060339983595214655, 0.41277758528830943, 0.7728111488988045
  aone2 Branch aone, 0.21610379484573122, 0.6045212896668933, 0.9239173842993144
  atwo1 Branch atwo, 0.060339983595214655, 0.41277758528830943, 0.7728111488988045
  atwo2 Branch atwo, 0.21610379484573122, 0.6045212896668933, 0.9239173842993144
  aeven = 4 * tanh(0.5 * aone1) * tanh(0.5 * atwo1) + kleak * (aone1 + atwo1)
  aodd = 4 * tanh(0.5 * aone2) * tanh(0.5 * atwo2) + kleak * (aone2 + atwo2)
  aodd1 Branch aodd, 0.060339983595214655, 0.41277758528830943, 0.7728111488988045
  aeven1 Branch aeven, 0.21610379484573122, 0.6045212896668933, 0.9239173842993144
  xout 0.5 * (aodd1 + aeven1)
endop

instr 1
  aone $SIGNAL p4
  atwo poscil $LEVEL, expon:k(50, p3, 2000)
  aout init 0
#ifndef EMPTY
  aout $OPCODE aone, atwo, $LEAK
#end
#ifndef MUTED
  outch p4, aout
#end
endin

; NOTES notes for each output channel.
#ifndef NOTES
#define NOTES #1#
#end
inote = 0
while inote < $NOTES * nchnls do
  schedule 1, 0, $DURATION, inote % nchnls + 1
  inote += 1
od
event_i "e", 0, $DURATION
</CsInstruments>
<CsScore>
f 0 z
</CsScore>
</CsoundSynthesizer>
