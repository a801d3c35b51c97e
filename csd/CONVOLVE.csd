<CsoundSynthesizer>
<CsInstruments>
; Plucked strings in a room of noise that dies away.
;   csound --opcode-lib=./build/libopcodes.so csd/CONVOLVE.csd -odac
; Every macro can be set from outside: --omacro:OPCODE=ftconv plays Csound's own.

sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

#ifndef OPCODE
#define OPCODE #CONVOLVE#
#end
; The signal: Strings, Noise, Impulse or Input (the sound card, or a file the harness feeds).
#ifndef SIGNAL
#define SIGNAL #Strings#
#end
#ifndef DURATION
#define DURATION #5#
#end
; The response's length in seconds, the samples left out at its beginning and those used.
#ifndef SECONDS
#define SECONDS #2#
#end
#ifndef SKIP
#define SKIP #0#
#end
#ifndef LENGTH
#define LENGTH #0#
#end
#ifndef PARTITION
#define PARTITION #1024#
#end

; Two channels, interleaved.
seed 1
gisize = 2 * int($SECONDS * sr)
giresponse ftgen 1, 0, -gisize, -21, 6, 0.03
gidecay ftgen 2, 0, -gisize, -5, 1, gisize, 0.001
vmultv_i giresponse, gidecay, gisize

opcode Strings, a, i
  ichannel xin
  apluck reson mpulse(1, 0.5), 220 * ichannel, 20, 2
  xout 2 * apluck
endop

opcode Noise, a, i
  ichannel xin
  anoise rand 0.3, 0.5 / ichannel, 1
  xout anoise
endop

opcode Impulse, a, i
  ichannel xin
  xout mpulse(1, 0)
endop

opcode Input, a, i
  ichannel xin
  xout inch(ichannel)
endop

instr 1
  asignal $SIGNAL p4
  aleft init 0
  aright init 0
#ifndef EMPTY
  aleft, aright $OPCODE asignal, giresponse, $PARTITION, $SKIP, $LENGTH
#end
#ifndef MUTED
  outch p4, aleft - 0.7 * aright
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
