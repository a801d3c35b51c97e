<CsoundSynthesizer>
<CsInstruments>
; Plucked notes with four echoes, of which the last comes back, darker each time.
;   csound --opcode-lib=./build/libopcodes.so csd/TAPS.csd -odac
; Every macro can be set from outside.

sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

#ifndef OPCODE
#define OPCODE #TAPS#
#end
#ifndef DURATION
#define DURATION #4#
#end
#ifndef FEEDBACK
#define FEEDBACK #0.6#
#end
#ifndef CUTOFF
#define CUTOFF #3000#
#end
#ifndef DRIVE
#define DRIVE #1#
#end

instr 1
  aenvelope phasor 0.5
  asaw vco2 0.4, 220
  apluck = asaw * exp(-9 * aenvelope)
  ktimes[] fillarray 0.125, 0.25, 0.3125, 0.4375
  kgains[] fillarray 0.6, -0.4, 0.5, 0.3
  aechoes $OPCODE apluck, ktimes, kgains, $FEEDBACK, 0.5, $CUTOFF, $DRIVE
  out apluck + aechoes
endin

schedule 1, 0, $DURATION
event_i "e", 0, $DURATION
</CsInstruments>
<CsScore>
f 0 z
</CsScore>
</CsoundSynthesizer>
