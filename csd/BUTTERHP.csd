<CsoundSynthesizer>
<CsInstruments>
; A saw through the Butterworth highpass while its cutoff sweeps.
;   csound --opcode-lib=./build/libopcodes.so csd/BUTTERHP.csd -odac
; Every macro can be set from outside: --omacro:OPCODE=butterhp plays Csound's own.

sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

#ifndef OPCODE
#define OPCODE #BUTTERHP#
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
; The cutoff goes from one frequency to the other, at k-rate or a-rate.
#ifndef CUTOFFRATE
#define CUTOFFRATE #a#
#end
#ifndef CUTOFFSTART
#define CUTOFFSTART #100#
#end
#ifndef CUTOFFEND
#define CUTOFFEND #8000#
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
  $CUTOFFRATE.cutoff expon $CUTOFFSTART, p3, $CUTOFFEND
  afiltered $OPCODE asignal, $CUTOFFRATE.cutoff
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
