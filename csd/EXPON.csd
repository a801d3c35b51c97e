<CsoundSynthesizer>
<CsInstruments>
; A saw that falls by 60 dB.
;   csound --opcode-lib=./build/libopcodes.so csd/EXPON.csd -odac
; Every macro can be set from outside: --omacro:OPCODE=expon plays Csound's own.

sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

#ifndef OPCODE
#define OPCODE #EXPON#
#end
#ifndef DURATION
#define DURATION #4#
#end

instr 1
  aenvelope $OPCODE 1, p3, 0.001
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
