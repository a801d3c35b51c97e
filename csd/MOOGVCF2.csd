<CsoundSynthesizer>
<CsInstruments>
; A saw through a ladder whose cutoff falls.
;   csound --opcode-lib=./build/libopcodes.so csd/MOOGVCF2.csd -odac
; Every macro can be set from outside: --omacro:OPCODE=moogvcf2 plays Csound's own.

sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

#ifndef OPCODE
#define OPCODE #MOOGVCF2#
#end
#ifndef DURATION
#define DURATION #4#
#end
; Resonance.
#ifndef RESONANCE
#define RESONANCE #0.8#
#end

instr 1
  asaw vco2 0.5, 110
  kcutoff expon 8000, p3, 200
  afiltered $OPCODE asaw, kcutoff, $RESONANCE
  out afiltered
endin

schedule 1, 0, $DURATION
event_i "e", 0, $DURATION
</CsInstruments>
<CsScore>
f 0 z
</CsScore>
</CsoundSynthesizer>
