<CsoundSynthesizer>
<CsInstruments>
; Bursts of noise through a phaser of second order that sweeps.
;   csound --opcode-lib=./build/libopcodes.so csd/PHASER2.csd -odac
; Every macro can be set from outside: --omacro:OPCODE=phaser2 plays Csound's own.

sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

#ifndef OPCODE
#define OPCODE #PHASER2#
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
; How the notches lie: 1 evenly, 2 in powers of the separation.
#ifndef MODE
#define MODE #1#
#end
; How many allpasses.
#ifndef ORDER
#define ORDER #8#
#end
#ifndef SEPARATION
#define SEPARATION #1.3#
#end
#ifndef FEEDBACK
#define FEEDBACK #0.7#
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
  ksweep oscili 400, 0.3
  aout $OPCODE asignal, 600 + ksweep, 0.5, $ORDER, $MODE, $SEPARATION, $FEEDBACK
  aout = 0.5 * (aout + asignal)
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
