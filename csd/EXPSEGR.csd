<CsoundSynthesizer>
<CsInstruments>
; A saw that falls by 60 dB in a second after its note.
;   csound --opcode-lib=./build/libopcodes.so csd/EXPSEGR.csd -odac
; Every macro can be set from outside: --omacro:OPCODE=expsegr plays Csound's own.

sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

#ifndef OPCODE
#define OPCODE #EXPSEGR#
#end
#ifndef DURATION
#define DURATION #4#
#end

instr 1
  aenvelope $OPCODE 0.01, 0.05, 1, 0.5, 0.3, 1, 0.001
  asaw vco2 0.4, 110
  out asaw * aenvelope
endin

schedule 1, 0, $DURATION - 1.1
event_i "e", 0, $DURATION
</CsInstruments>
<CsScore>
f 0 z
</CsScore>
</CsoundSynthesizer>
