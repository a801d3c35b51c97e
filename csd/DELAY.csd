<CsoundSynthesizer>
<CsInstruments>
; Plucked notes with an echo.
;   csound --opcode-lib=./build/libopcodes.so csd/DELAY.csd -odac
; Every macro can be set from outside: --omacro:OPCODE=delay plays Csound's own.

sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

#ifndef OPCODE
#define OPCODE #DELAY#
#end
#ifndef DURATION
#define DURATION #4#
#end
#ifndef DELAY
#define DELAY #0.375#
#end

instr 1
  aenvelope phasor 1
  asaw vco2 0.4, 220
  apluck = asaw * exp(-9 * aenvelope)
  aecho $OPCODE apluck, $DELAY
  out apluck + 0.5 * aecho
endin

schedule 1, 0, $DURATION
event_i "e", 0, $DURATION
</CsInstruments>
<CsScore>
f 0 z
</CsScore>
</CsoundSynthesizer>
