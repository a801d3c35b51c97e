<CsoundSynthesizer>
<CsInstruments>
; A saw that swells into the limit.
;   csound --opcode-lib=./build/libopcodes.so csd/CLIP.csd -odac
; Every macro can be set from outside: --omacro:OPCODE=clip plays Csound's own.

sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

#ifndef OPCODE
#define OPCODE #CLIP#
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
; The curve, 0 to 2, its limit, and where the corner of curve 0 begins.
#ifndef METHOD
#define METHOD #0#
#end
#ifndef LIMIT
#define LIMIT #0.3#
#end
#ifndef START
#define START #0.5#
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
  aswell line 0, p3, 2
  aclipped $OPCODE asignal * aswell, $METHOD, $LIMIT, $START
  outch p4, aclipped
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
