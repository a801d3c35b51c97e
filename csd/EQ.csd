<CsoundSynthesizer>
<CsInstruments>
; Noise through three bands of an equalizer, the middle one of which sweeps.
;   csound --opcode-lib=./build/libopcodes.so csd/EQ.csd -odac
; Every macro can be set from outside.

sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

#ifndef OPCODE
#define OPCODE #EQ#
#end
#ifndef DURATION
#define DURATION #4#
#end
#ifndef GAIN
#define GAIN #18#
#end
#ifndef Q
#define Q #6#
#end
#ifndef QUALITY
#define QUALITY #2#
#end

instr 1
  anoise noise 0.05, 0
  ksweep expon 200, p3, 16000
  kfrequencies[] fillarray 80, ksweep, 12000
  kgains[] fillarray 0, $GAIN, -6
  kqs[] fillarray 0.7, $Q, 0.7
  kkinds[] fillarray 3, 0, 2
  aheard $OPCODE anoise, kfrequencies, kgains, kqs, kkinds, $QUALITY
  out aheard
endin

schedule 1, 0, $DURATION
event_i "e", 0, $DURATION
</CsInstruments>
<CsScore>
f 0 z
</CsScore>
</CsoundSynthesizer>
