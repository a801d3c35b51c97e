<CsoundSynthesizer>
<CsInstruments>
; A plucked note in each half second, one after the other from left to right and back.
;   csound --opcode-lib=./build/libopcodes.so csd/PAN2.csd -odac
; Every macro can be set from outside: --omacro:OPCODE=pan2 plays Csound's own.

sr = 48000
ksmps = 64
nchnls = 2
0dbfs = 1

#ifndef OPCODE
#define OPCODE #PAN2#
#end
#ifndef DURATION
#define DURATION #4#
#end
; The law, 0 to 3.
#ifndef MODE
#define MODE #0#
#end

instr 1
  aposition oscil 0.5, 2 / p3
  asaw vco2 0.3, 220
  aenvelope phasor 2
  aleft, aright $OPCODE asaw * exp(-5 * aenvelope), aposition + 0.5, $MODE
  outs aleft, aright
endin

schedule 1, 0, $DURATION
event_i "e", 0, $DURATION
</CsInstruments>
<CsScore>
f 0 z
</CsScore>
</CsoundSynthesizer>
