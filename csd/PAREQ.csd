<CsoundSynthesizer>
<CsInstruments>
; A saw with one band of an equalizer that sweeps.
;   csound --opcode-lib=./build/libopcodes.so csd/PAREQ.csd -odac
; Every macro can be set from outside: --omacro:OPCODE=pareq plays Csound's own.

sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

#ifndef OPCODE
#define OPCODE #PAREQ#
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
#ifndef GAIN
#define GAIN #5#
#end
#ifndef Q
#define Q #4#
#end
; 0 peak, 1 low shelf, 2 high shelf.
#ifndef MODE
#define MODE #0#
#end

instr 1
  asaw vco2 0.1, 110
  kfrequency expon $START, p3, $END
  aheard $OPCODE asaw, kfrequency, $GAIN, $Q, $MODE
  out aheard
endin

schedule 1, 0, $DURATION
event_i "e", 0, $DURATION
</CsInstruments>
<CsScore>
f 0 z
</CsScore>
</CsoundSynthesizer>
