<CsoundSynthesizer>
<CsInstruments>
; A saw with an attack, a decay and a long fall.
;   csound --opcode-lib=./build/libopcodes.so csd/LINSEG.csd -odac
; Every macro can be set from outside: --omacro:OPCODE=linseg plays Csound's own.

sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

#ifndef OPCODE
#define OPCODE #LINSEG#
#end
#ifndef DURATION
#define DURATION #4#
#end

instr 1
  aenvelope $OPCODE 0, 0.02, 1, 0.3, 0.4, p3 - 0.32, 0
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
