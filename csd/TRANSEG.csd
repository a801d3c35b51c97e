<CsoundSynthesizer>
<CsInstruments>
; A saw with a slow attack and a fast fall.
;   csound --opcode-lib=./build/libopcodes.so csd/TRANSEG.csd -odac
; Every macro can be set from outside: --omacro:OPCODE=transeg plays Csound's own.

sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

#ifndef OPCODE
#define OPCODE #TRANSEG#
#end
#ifndef DURATION
#define DURATION #4#
#end

instr 1
  aenvelope $OPCODE 0, 0.5, 3, 1, p3 - 0.5, -5, 0
  asaw vco2 0.4, 110
  out asaw * aenvelope
endin

schedule 1, 0, $DURATION
event_i "e", 0, $DURATION
</CsInstruments>
<CsScore>
f 0 z
</CsScore>
</CsoundSynthesizer>
