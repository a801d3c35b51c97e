<CsoundSynthesizer>
<CsInstruments>
; A saw through a resonator that sweeps.
;   csound --opcode-lib=./build/libopcodes.so csd/RESON.csd -odac
; Every macro can be set from outside: --omacro:OPCODE=reson plays Csound's own.

sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

#ifndef OPCODE
#define OPCODE #RESON#
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
; The middle and the width of the band go from one frequency to the other, at k-rate or a-rate.
#ifndef CENTRERATE
#define CENTRERATE #a#
#end
#ifndef CENTRESTART
#define CENTRESTART #100#
#end
#ifndef CENTREEND
#define CENTREEND #8000#
#end
#ifndef BANDWIDTHRATE
#define BANDWIDTHRATE #k#
#end
#ifndef BANDWIDTHSTART
#define BANDWIDTHSTART #50#
#end
#ifndef BANDWIDTHEND
#define BANDWIDTHEND #1000#
#end
; The gain: 0 as it is, 1 for a peak of 1, 2 for the power of noise.
#ifndef SCALE
#define SCALE #1#
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
  $CENTRERATE.centre expon $CENTRESTART, p3, $CENTREEND
  $BANDWIDTHRATE.bandwidth expon $BANDWIDTHSTART, p3, $BANDWIDTHEND
  afiltered $OPCODE asignal, $CENTRERATE.centre, $BANDWIDTHRATE.bandwidth, $SCALE
  outch p4, afiltered
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
