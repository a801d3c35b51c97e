<CsoundSynthesizer>
<CsInstruments>
; A saw on a constant, which is taken off.
;   csound --opcode-lib=./build/libopcodes.so csd/DCBLOCK2.csd -odac
; Every macro can be set from outside: --omacro:OPCODE=dcblock2 plays Csound's own.

sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

#ifndef OPCODE
#define OPCODE #DCBLOCK2#
#end
#ifndef DURATION
#define DURATION #4#
#end
; The constant, and how many frames a mean has.
#ifndef CONSTANT
#define CONSTANT #0.3#
#end
#ifndef ORDER
#define ORDER #128#
#end

instr 1
  asaw vco2 0.5, 110
  ablocked $OPCODE asaw + $CONSTANT, $ORDER
  out ablocked
endin

schedule 1, 0, $DURATION
event_i "e", 0, $DURATION
</CsInstruments>
<CsScore>
f 0 z
</CsScore>
</CsoundSynthesizer>
