<CsoundSynthesizer>
<CsInstruments>
; A saw that swells, with a level that stays.
;   csound --opcode-lib=./build/libopcodes.so csd/GAIN.csd -odac
; Every macro can be set from outside: --omacro:OPCODE=gain plays Csound's own.

sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

#ifndef OPCODE
#define OPCODE #GAIN#
#end
#ifndef DURATION
#define DURATION #4#
#end
; The level.
#ifndef LEVEL
#define LEVEL #0.2#
#end

instr 1
  kswell expon 0.02, p3, 0.5
  asaw vco2 kswell, 110
  alevelled $OPCODE asaw, $LEVEL
  out alevelled
endin

schedule 1, 0, $DURATION
event_i "e", 0, $DURATION
</CsInstruments>
<CsScore>
f 0 z
</CsScore>
</CsoundSynthesizer>
