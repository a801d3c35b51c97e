<CsoundSynthesizer>
<CsInstruments>
; Grains of a wave.
;   csound --opcode-lib=./build/libopcodes.so csd/SYNCGRAIN.csd -odac
; Every macro can be set from outside: --omacro:OPCODE=syncgrain plays Csound's own.

sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

#ifndef OPCODE
#define OPCODE #SYNCGRAIN#
#end
#ifndef LEVEL
#define LEVEL #0.3#
#end
#ifndef DURATION
#define DURATION #4#
#end
; Grains in a second.
#ifndef FREQUENCY
#define FREQUENCY #40#
#end
; Speed of reading.
#ifndef PITCH
#define PITCH #0.01#
#end

giwave ftgen 0, 0, 16384, 10, 1, 0.5, 0.3
gienvelope ftgen 0, 0, 8192, 20, 2

instr 1
  aout $OPCODE $LEVEL, $FREQUENCY, $PITCH, 0.05, 0.5, giwave, gienvelope, 20
  outch p4, aout
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
