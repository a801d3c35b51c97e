<CsoundSynthesizer>
<CsInstruments>
; A chord of eight saws in one array, through eight filters side by side.
;   csound --opcode-lib=./build/libopcodes.so csd/STATEVAR-array.csd -odac
; Every macro can be set from outside: --omacro:OPCODE=Statevars plays Csound's own, one for
; each channel.

sr = 48000
ksmps = 64
nchnls = 8
0dbfs = 1

#ifndef OPCODE
#define OPCODE #STATEVAR#
#end
; The signal: Saw, Noise, Impulse, Burst or Input (the sound card, or a file the harness feeds).
#ifndef SIGNAL
#define SIGNAL #Saw#
#end
#ifndef LEVEL
#define LEVEL #0.5#
#end
#ifndef DURATION
#define DURATION #4#
#end
; The cutoff goes from one frequency to the other, at k-rate or a-rate, and vibrates around it.
#ifndef CUTOFFRATE
#define CUTOFFRATE #a#
#end
#ifndef CUTOFFSTART
#define CUTOFFSTART #100#
#end
#ifndef CUTOFFEND
#define CUTOFFEND #3000#
#end
#ifndef VIBRATO
#define VIBRATO #0#
#end
#ifndef QUALITYRATE
#define QUALITYRATE #k#
#end
#ifndef QUALITYSTART
#define QUALITYSTART #4#
#end
#ifndef QUALITYEND
#define QUALITYEND #4#
#end
; Steps in a sample.
#ifndef OVERSAMPLING
#define OVERSAMPLING #3#
#end
; Which filter is heard.
#ifndef HEARD
#define HEARD #aband#
#end

opcode Saw, a, i
  ichannel xin
  asaw vco2 $LEVEL, 55 * (ichannel + 3)
  xout asaw
endop

opcode Noise, a, i
  ichannel xin
  anoise rand $LEVEL, 0.5 / ichannel, 1
  xout anoise
endop

opcode Impulse, a, i
  ichannel xin
  aimpulse mpulse $LEVEL, 0
  xout aimpulse
endop

opcode Burst, a, i
  ichannel xin
  anoise rand $LEVEL, 0.5 / ichannel, 1
  aenvelope linseg 1, 0.1, 1, 0, 0, 1, 0
  xout anoise * aenvelope
endop

opcode Input, a, i
  ichannel xin
  ainput inch ichannel
  xout ainput
endop

; Csound's own filter for each of eight channels.
opcode Statevars, a[]a[]a[]a[], a[]$CUTOFFRATE$QUALITYRATE.i
  asignals[], $CUTOFFRATE.cutoff, $QUALITYRATE.quality, ioversampling xin
  ahigh[] init 8
  alow[] init 8
  aband[] init 8
  areject[] init 8
  a1, a2, a3, a4 statevar asignals[0], $CUTOFFRATE.cutoff, $QUALITYRATE.quality, ioversampling
  ahigh[0] = a1
  alow[0] = a2
  aband[0] = a3
  areject[0] = a4
  a1, a2, a3, a4 statevar asignals[1], $CUTOFFRATE.cutoff, $QUALITYRATE.quality, ioversampling
  ahigh[1] = a1
  alow[1] = a2
  aband[1] = a3
  areject[1] = a4
  a1, a2, a3, a4 statevar asignals[2], $CUTOFFRATE.cutoff, $QUALITYRATE.quality, ioversampling
  ahigh[2] = a1
  alow[2] = a2
  aband[2] = a3
  areject[2] = a4
  a1, a2, a3, a4 statevar asignals[3], $CUTOFFRATE.cutoff, $QUALITYRATE.quality, ioversampling
  ahigh[3] = a1
  alow[3] = a2
  aband[3] = a3
  areject[3] = a4
  a1, a2, a3, a4 statevar asignals[4], $CUTOFFRATE.cutoff, $QUALITYRATE.quality, ioversampling
  ahigh[4] = a1
  alow[4] = a2
  aband[4] = a3
  areject[4] = a4
  a1, a2, a3, a4 statevar asignals[5], $CUTOFFRATE.cutoff, $QUALITYRATE.quality, ioversampling
  ahigh[5] = a1
  alow[5] = a2
  aband[5] = a3
  areject[5] = a4
  a1, a2, a3, a4 statevar asignals[6], $CUTOFFRATE.cutoff, $QUALITYRATE.quality, ioversampling
  ahigh[6] = a1
  alow[6] = a2
  aband[6] = a3
  areject[6] = a4
  a1, a2, a3, a4 statevar asignals[7], $CUTOFFRATE.cutoff, $QUALITYRATE.quality, ioversampling
  ahigh[7] = a1
  alow[7] = a2
  aband[7] = a3
  areject[7] = a4
  xout ahigh, alow, aband, areject
endop

instr 1
  asignals[] init 8
  asignals[0] $SIGNAL 1
  asignals[1] $SIGNAL 2
  asignals[2] $SIGNAL 3
  asignals[3] $SIGNAL 4
  asignals[4] $SIGNAL 5
  asignals[5] $SIGNAL 6
  asignals[6] $SIGNAL 7
  asignals[7] $SIGNAL 8
  $CUTOFFRATE.sweep expon $CUTOFFSTART, p3, $CUTOFFEND
  $CUTOFFRATE.vibrato oscili $VIBRATO, 811
  $CUTOFFRATE.cutoff limit $CUTOFFRATE.sweep * (1 + $CUTOFFRATE.vibrato), 0, sr / 2
  $QUALITYRATE.quality line $QUALITYSTART, p3, $QUALITYEND
  ahigh[] init 8
  alow[] init 8
  aband[] init 8
  areject[] init 8
#ifndef EMPTY
  ahigh, alow, aband, areject $OPCODE asignals, $CUTOFFRATE.cutoff, $QUALITYRATE.quality, $OVERSAMPLING
#end
#ifndef MUTED
  out $HEARD
#end
endin

; NOTES notes at a time.
#ifndef NOTES
#define NOTES #1#
#end
inote = 0
while inote < $NOTES do
  schedule 1, 0, $DURATION
  inote += 1
od
event_i "e", 0, $DURATION
</CsInstruments>
<CsScore>
f 0 z
</CsScore>
</CsoundSynthesizer>
