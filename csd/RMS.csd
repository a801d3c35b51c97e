<CsoundSynthesizer>
<CsInstruments>
; A sine whose frequency follows the level of a saw that swells.
;   csound --opcode-lib=./build/libopcodes.so csd/RMS.csd -odac
; Every macro can be set from outside: --omacro:OPCODE=rms plays Csound's own.

sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

#ifndef OPCODE
#define OPCODE #RMS#
#end
#ifndef DURATION
#define DURATION #4#
#end

instr 1
  kswell linseg 0, 0.5, 0.5, p3 - 0.5, 0
  asaw vco2 kswell, 110
  klevel $OPCODE asaw
  asine oscili 0.3, 200 + 1000 * klevel
  out asine
endin

schedule 1, 0, $DURATION
event_i "e", 0, $DURATION
</CsInstruments>
<CsScore>
f 0 z
</CsScore>
</CsoundSynthesizer>
