<CsoundSynthesizer>
<CsInstruments>
; A saw through a phaser that sweeps.
;   csound --opcode-lib=./build/libopcodes.so csd/PHASER.csd -odac
; Every macro can be set from outside: --omacro:OPCODE=phaser1 plays Csound's own.

sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

#ifndef OPCODE
#define OPCODE #PHASER#
#end
; The signal: Saw, Noise, Impulse, Burst or Input (the sound card, or a file the harness feeds).
#ifndef SIGNAL
#define SIGNAL #Saw#
#end
#ifndef LEVEL
#define LEVEL #0.3#
#end
#ifndef DURATION
#define DURATION #4#
#end
; How many allpasses.
#ifndef ORDER
#define ORDER #8#
#end
; The frequency goes from one value to the other and sways around it.
#ifndef FREQUENCYSTART
#define FREQUENCYSTART #200#
#end
#ifndef FREQUENCYEND
#define FREQUENCYEND #3000#
#end
#ifndef SWAY
#define SWAY #0.2#
#end
#ifndef FEEDBACKSTART
#define FEEDBACKSTART #0.7#
#end
#ifndef FEEDBACKEND
#define FEEDBACKEND #0.7#
#end
; How much of the signal itself is heard.
#ifndef DRY
#define DRY #1#
#end

opcode Saw, a, i
  ichannel xin
  asaw vco2 $LEVEL, 110 * ichannel
  xout asaw
endop

opcode Noise, a, i
  ichannel xin
  anoise rand $LEVEL, 0.5 / ichannel, 1
  xout anoise
endop

opcode Impulse, a, i
  ichannel xin
  aimpulse mpulse $LEVEL, 0.1 * ichannel
  xout aimpulse
endop

opcode Burst, a, i
  ichannel xin
  anoise rand $LEVEL, 0.5 / ichannel, 1
  aenvelope linseg 1, 0.05, 1, 0, 0, 1, 0
  xout anoise * aenvelope
endop

opcode Input, a, i
  ichannel xin
  ainput inch ichannel
  xout ainput
endop

instr 1
  asignal $SIGNAL p4
  ksweep expon $FREQUENCYSTART, p3, $FREQUENCYEND
  ksway oscili $SWAY, 5
  kswept = ksweep * (1 + ksway)
  kfeedback line $FEEDBACKSTART, p3, $FEEDBACKEND
  aphased init 0
#ifndef EMPTY
  aphased $OPCODE asignal, kswept, $ORDER, kfeedback
#end
#ifndef MUTED
  outch p4, $DRY * asignal + aphased
#end
endin

; NOTES notes for each output channel.
#ifndef NOTES
#define NOTES #1#
#end
inote = 0
while inote < $NOTES * nchnls do
  schedule 1, 0, $DURATION, inote % nchnls + 1
  inote += 1
od
event_i "e", 0, $DURATION
</CsInstruments>
<CsScore>
f 0 z
</CsScore>
</CsoundSynthesizer>
