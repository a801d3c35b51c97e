<CsoundSynthesizer>
<CsInstruments>
; A sine whose level swells, bent by a table of few elements: a smooth curve between them.
;   csound --opcode-lib=./build/libopcodes.so csd/TABLE3.csd -odac
; Every macro can be set from outside: --omacro:OPCODE=table3 plays Csound's own.

sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

#ifndef OPCODE
#define OPCODE #TABLE3#
#end
#ifndef DURATION
#define DURATION #4#
#end
#ifndef FREQUENCY
#define FREQUENCY #110#
#end
; 1 wraps an index beyond the table around.
#ifndef WRAP
#define WRAP #0#
#end

gibend ftgen 0, 0, 17, -7, -1, 4, -0.8, 4, 0, 4, 0.8, 4, 1

instr 1
  aswell expon 0.05, p3, 0.5
  asine oscili aswell, $FREQUENCY
  abent $OPCODE asine, gibend, 1, 0.5, $WRAP
  out 0.4 * abent
endin

schedule 1, 0, $DURATION
event_i "e", 0, $DURATION
</CsInstruments>
<CsScore>
f 0 z
</CsScore>
</CsoundSynthesizer>
