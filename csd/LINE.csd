<CsoundSynthesizer>
<CsInstruments>
; A saw that fades.
;   csound --opcode-lib=./build/libopcodes.so csd/LINE.csd -odac
; Every macro can be set from outside: --omacro:OPCODE=line plays Csound's own.

sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

#ifndef OPCODE
#define OPCODE #LINE#
#end
#ifndef DURATION
#define DURATION #4#
#end

instr 1
  aenvelope $OPCODE 1, p3, 0
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
