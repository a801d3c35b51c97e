<CsoundSynthesizer>
<CsInstruments>
; A saw on a constant, which is taken off.
;   csound --opcode-lib=./build/libopcodes.so csd/DCBLOCK.csd -odac
; Every macro can be set from outside: --omacro:OPCODE=dcblock plays Csound's own.

sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

#ifndef OPCODE
#define OPCODE #DCBLOCK#
#end
; The signal: Saw, Noise or Input (the sound card).
#ifndef SIGNAL
#define SIGNAL #Saw#
#end
#ifndef LEVEL
#define LEVEL #0.5#
#end
#ifndef DURATION
#define DURATION #4#
#end
; The constant, and how slowly it goes.
#ifndef CONSTANT
#define CONSTANT #0.3#
#end
#ifndef GAIN
#define GAIN #0.99#
#end

opcode Saw, a, i
  ichannel xin
  asaw vco2 $LEVEL, 110 * ichannel
  xout asaw
endop

opcode Noise, a, i
  ichannel xin
  anoise rand $LEVEL, 0.5 / ichannel, 1
  xout anoise
endop

opcode Input, a, i
  ichannel xin
  ainput inch ichannel
  xout ainput
endop

instr 1
  asignal $SIGNAL p4
  ablocked $OPCODE asignal + $CONSTANT, $GAIN
  outch p4, ablocked
endin

; A note for each output channel.
ichannel = 1
while ichannel <= nchnls do
  schedule 1, 0, $DURATION, ichannel
  ichannel += 1
od
event_i "e", 0, $DURATION
</CsInstruments>
<CsScore>
f 0 z
</CsScore>
</CsoundSynthesizer>
