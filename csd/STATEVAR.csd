<CsoundSynthesizer>
<CsInstruments>
; A saw through the state variable filter's band and low while its cutoff sweeps.
;   csound --opcode-lib=./build/libopcodes.so csd/STATEVAR.csd -odac
; Every macro can be set from outside: --omacro:OPCODE=statevar plays Csound's own.

sr = 48000
ksmps = 64
nchnls = 1
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
#define HEARD #aband + alow#
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

instr 1
  asignal $SIGNAL p4
  $CUTOFFRATE.sweep expon $CUTOFFSTART, p3, $CUTOFFEND
  $CUTOFFRATE.vibrato oscili $VIBRATO, 811
  $CUTOFFRATE.cutoff limit $CUTOFFRATE.sweep * (1 + $CUTOFFRATE.vibrato), 0, sr / 2
  $QUALITYRATE.quality line $QUALITYSTART, p3, $QUALITYEND
  ahigh init 0
  alow init 0
  aband init 0
  areject init 0
#ifndef EMPTY
  ahigh, alow, aband, areject $OPCODE asignal, $CUTOFFRATE.cutoff, $QUALITYRATE.quality, $OVERSAMPLING
#end
#ifndef MUTED
  outch p4, $HEARD
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
