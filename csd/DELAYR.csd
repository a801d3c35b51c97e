<CsoundSynthesizer>
<CsInstruments>
; A saw through a flanger, and three echoes of it. Every tap reads the delay line above it.
;   csound --opcode-lib=./build/libopcodes.so csd/DELAYR.csd -odac

sr = 48000
ksmps = 32
nchnls = 2
0dbfs = 1

#ifndef DURATION
#define DURATION #8#
#end

instr 1
  aenvelope phasor 2
  asaw vco2 0.3, 110
  asound = asaw * exp(-4 * aenvelope)

  ; The flanger: a tap that sways between 1 and 5 ms.
  asway oscili 0.002, 0.2
  aend DELAYR 0.02
  aflanged DELTAPI 0.003 + asway
  DELAYW asound + 0.6 * aflanged

  ; Three echoes: two at times in seconds, one at a number of samples.
  aend DELAYR 1
  aleft DELTAP 0.25
  amiddle DELTAPN 18000
  aright DELTAP 0.5
  DELAYW aflanged + 0.3 * aright
  outs asound + aflanged + aleft + 0.5 * amiddle, asound + aflanged + aright + 0.5 * amiddle
endin

schedule 1, 0, $DURATION
event_i "e", 0, $DURATION
</CsInstruments>
<CsScore>
f 0 z
</CsScore>
</CsoundSynthesizer>
