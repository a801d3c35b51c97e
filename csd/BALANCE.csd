<CsoundSynthesizer>
<CsInstruments>
; Filtered noise with the level of a sine that swells.
;   csound --opcode-lib=./build/libopcodes.so csd/BALANCE.csd -odac
; Every macro can be set from outside: --omacro:OPCODE=balance plays Csound's own.

sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

#ifndef OPCODE
#define OPCODE #BALANCE#
#end
#ifndef DURATION
#define DURATION #4#
#end

instr 1
  anoise rand 0.5, 0.3, 1
  afiltered reson anoise, 500, 20
  kswell expon 0.02, p3, 0.5
  asine oscili kswell, 300
  abalanced $OPCODE afiltered, asine
  out abalanced
endin

schedule 1, 0, $DURATION
event_i "e", 0, $DURATION
</CsInstruments>
<CsScore>
f 0 z
</CsScore>
</CsoundSynthesizer>
