<CsoundSynthesizer>
<CsInstruments>
; A saw through a filter that sweeps.
;   csound --opcode-lib=./build/libopcodes.so csd/RBJEQ.csd -odac
; Every macro can be set from outside: --omacro:OPCODE=rbjeq plays Csound's own.

sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

#ifndef OPCODE
#define OPCODE #RBJEQ#
#end
#ifndef DURATION
#define DURATION #4#
#end
#ifndef START
#define START #100#
#end
#ifndef END
#define END #8000#
#end
#ifndef LEVEL
#define LEVEL #5#
#end
#ifndef Q
#define Q #4#
#end
#ifndef SLOPE
#define SLOPE #1#
#end
; 0 lowpass, 2 highpass, 4 bandpass, 6 band reject, 8 peak, 10 low shelf, 12 high shelf.
#ifndef MODE
#define MODE #8#
#end

instr 1
  asaw vco2 0.1, 110
  kfrequency expon $START, p3, $END
  aheard $OPCODE asaw, kfrequency, $LEVEL, $Q, $SLOPE, $MODE
  out aheard
endin

schedule 1, 0, $DURATION
event_i "e", 0, $DURATION
</CsInstruments>
<CsScore>
f 0 z
</CsScore>
</CsoundSynthesizer>
