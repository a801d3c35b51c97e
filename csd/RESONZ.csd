<CsoundSynthesizer>
<CsInstruments>
; Noise through a resonator that sweeps.
;   csound --opcode-lib=./build/libopcodes.so csd/RESONZ.csd -odac
; Every macro can be set from outside: --omacro:OPCODE=resonz plays Csound's own.

sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

#ifndef OPCODE
#define OPCODE #RESONZ#
#end
#ifndef DURATION
#define DURATION #4#
#end
#ifndef CENTRESTART
#define CENTRESTART #100#
#end
#ifndef CENTREEND
#define CENTREEND #8000#
#end
#ifndef BANDWIDTH
#define BANDWIDTH #50#
#end

instr 1
  anoise rand 0.5, 0.5, 1
  kcentre expon $CENTRESTART, p3, $CENTREEND
  aheard $OPCODE anoise, kcentre, $BANDWIDTH, 1
  out aheard
endin

schedule 1, 0, $DURATION
event_i "e", 0, $DURATION
</CsInstruments>
<CsScore>
f 0 z
</CsScore>
</CsoundSynthesizer>
