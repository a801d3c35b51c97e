<CsoundSynthesizer>
<CsInstruments>
; A decaying chord driven into soft saturation.
;   csound --opcode-lib=./build/libopcodes.so csd/SATURATE.csd -odac
; Every macro can be set from outside: --omacro:OPCODE=tanh plays Csound's own, and
; --omacro:DISTORTION=1 --omacro:OPCODE=distort1 that of the long form.

sr = 48000
ksmps = 64
nchnls = 1
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
; With DISTORTION set the long form, which has these arguments.
#ifndef PREGAIN
#define PREGAIN #2#
#end
#ifndef POSTGAIN
#define POSTGAIN #0.5#
#end
#ifndef SHAPE1
#define SHAPE1 #0#
#end
#ifndef SHAPE2
#define SHAPE2 #0#
#end
#ifndef MODE
#define MODE #1#
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

; The curve as users write it: one sample in a k-cycle.
opcode SoftClipUDO, a, a
  setksmps 1
  asignal xin
  ksignal downsamp asignal
  aclipped upsamp tanh(ksignal)
  xout aclipped
endop

instr 1
  asignal $SIGNAL p4
  kpregain line $PREGAIN, p3, $PREGAIN * 1.01
  kpostgain init $POSTGAIN
  kshape1 init $SHAPE1
  kshape2 init $SHAPE2
  ashaped init 0
#ifndef EMPTY
#ifdef DISTORTION
  ashaped $OPCODE asignal, kpregain, kpostgain, kshape1, kshape2, $MODE
#else
  ashaped $OPCODE asignal
#end
#end
#ifndef MUTED
  outch p4, ashaped
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
