<CsoundSynthesizer>
<CsInstruments>
; Eight decaying chords in one array, driven into soft saturation.
;   csound --opcode-lib=./build/libopcodes.so csd/SATURATE-array.csd -odac
; Every macro can be set from outside: --omacro:OPCODE=Tanhs plays Csound's own, one for each channel.

sr = 48000
ksmps = 64
nchnls = 8
#ifndef FULLSCALE
#define FULLSCALE #1#
#end
0dbfs = $FULLSCALE

#ifndef OPCODE
#define OPCODE #SATURATE#
#end
; The signal: Chord, Noise, Sweep or Input (the sound card, or a file the harness feeds).
#ifndef SIGNAL
#define SIGNAL #Chord#
#end
; Its level, 1 is full scale.
#ifndef LEVEL
#define LEVEL #2#
#end
#ifndef DURATION
#define DURATION #4#
#end
#define LEVELFACTOR #$LEVEL*0dbfs#

opcode Chord, a, i
  ichannel xin
  aenvelope expseg 1, p3, 0.001
  a1 oscili $LEVELFACTOR * 0.4, 110 * ichannel
  a2 oscili $LEVELFACTOR * 0.3, 138.6 * ichannel
  a3 oscili $LEVELFACTOR * 0.3, 164.8 * ichannel
  xout aenvelope * (a1 + a2 + a3)
endop

opcode Noise, a, i
  ichannel xin
  anoise rand $LEVELFACTOR, 0.5 / ichannel, 1
  xout anoise
endop

; From small to large, the same on both sides of 0.
opcode Sweep, a, i
  ichannel xin
  alevel expon 1e-9, p3, $LEVEL
  asine oscili 0dbfs, 441
  xout alevel * asine
endop

opcode Input, a, i
  ichannel xin
  ainput inch ichannel
  xout ainput
endop

; Csound's own for each of eight channels.
opcode Tanhs, a[], a[]
  asignals[] xin
  ashaped[] init 8
  ashaped[0] tanh asignals[0]
  ashaped[1] tanh asignals[1]
  ashaped[2] tanh asignals[2]
  ashaped[3] tanh asignals[3]
  ashaped[4] tanh asignals[4]
  ashaped[5] tanh asignals[5]
  ashaped[6] tanh asignals[6]
  ashaped[7] tanh asignals[7]
  xout ashaped
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
  ashaped[] init 8
#ifndef EMPTY
  ashaped $OPCODE asignals
#end
#ifndef MUTED
  out ashaped
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
