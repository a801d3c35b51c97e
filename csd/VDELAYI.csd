<CsoundSynthesizer>
<CsInstruments>
; A saw beside itself through a delay that sways.
;   csound --opcode-lib=./build/libopcodes.so csd/VDELAYI.csd -odac
; Every macro can be set from outside: --omacro:OPCODE=vdelay plays Csound's own.

sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

#ifndef OPCODE
#define OPCODE #VDELAYI#
#end
#ifndef DURATION
#define DURATION #4#
#end

instr 1
  asaw vco2 0.3, 220
  asway oscili 4, 0.7
  adelayed $OPCODE asaw, 12 + asway, 50
  out 0.5 * (asaw + adelayed)
endin

schedule 1, 0, $DURATION
event_i "e", 0, $DURATION
</CsInstruments>
<CsScore>
f 0 z
</CsScore>
</CsoundSynthesizer>
