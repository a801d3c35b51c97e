<CsoundSynthesizer>
<CsInstruments>
; Bursts of noise through a comb filter.
;   csound --opcode-lib=./build/libopcodes.so csd/COMB.csd -odac
; Every macro can be set from outside: --omacro:OPCODE=comb plays Csound's own.

sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

#ifndef OPCODE
#define OPCODE #COMB#
#end
; The signal: Burst, Noise or Input (the sound card).
#ifndef SIGNAL
#define SIGNAL #Burst#
#end
#ifndef LEVEL
#define LEVEL #0.3#
#end
#ifndef DURATION
#define DURATION #4#
#end
; Seconds in which echoes decay by 60 dB, and the loop in seconds.
#ifndef TIME
#define TIME #2#
#end
#ifndef LOOP
#define LOOP #0.0371#
#end

opcode Burst, a, i
  ichannel xin
  anoise rand $LEVEL, 0.5 / ichannel, 1
  aphase phasor 1
  aenvelope limit 1 - 10 * aphase, 0, 1
  xout anoise * aenvelope
endop

opcode Noise, a, i
  ichannel xin
  anoise rand $LEVEL, 0.5 / ichannel, 1
  xout anoise
endop

opcode Input, a, i
  ichannel xin
  ainput inch ichannel
  xout ainput
endop

instr 1
  asignal $SIGNAL p4
  aout $OPCODE asignal, $TIME, $LOOP
  outch p4, aout
endin

; A note for each output channel.
ichannel = 1
while ichannel <= nchnls do
  schedule 1, 0, $DURATION, ichannel
  ichannel += 1
od
event_i "e", 0, $DURATION
</CsInstruments>
<CsScore>
f 0 z
</CsScore>
</CsoundSynthesizer>
