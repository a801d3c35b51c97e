<CsoundSynthesizer>
<CsInstruments>
; A decaying chord through a one-pole lowpass filter.
;   csound --opcode-lib=./build/libopcodes.so csd/ONEPOLE.csd -odac
; Every macro can be set from outside: --omacro:OPCODE=tone plays Csound's own, and
; --omacro:OPCODE=OnePoleUDO the same filter in Csound's language, sample by sample.

sr = 48000
ksmps = 64
nchnls = 1
#ifndef FULLSCALE
#define FULLSCALE #1#
#end
0dbfs = $FULLSCALE

#ifndef OPCODE
#define OPCODE #ONEPOLE#
#end
; The signal: Chord, Noise or Input (the sound card, or a file the harness feeds).
#ifndef SIGNAL
#define SIGNAL #Chord#
#end
; Its level, 1 is full scale.
#ifndef LEVEL
#define LEVEL #1#
#end
#ifndef DURATION
#define DURATION #4#
#end
; The cutoff in Hz, k-rate or a-rate, and where it goes.
#ifndef CUTOFFRATE
#define CUTOFFRATE #k#
#end
#ifndef CUTOFFSTART
#define CUTOFFSTART #200#
#end
#ifndef CUTOFFEND
#define CUTOFFEND #4000#
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

opcode Input, a, i
  ichannel xin
  ainput inch ichannel
  xout ainput
endop

; The filter as users write it: one sample in a k-cycle.
opcode OnePoleUDO, a, ak
  setksmps 1
  asignal, kcutoff xin
  kpole init 0
  kbefore init -1
  if kcutoff != kbefore then
    kcosine = 2 - cos(2 * $M_PI * kcutoff / sr)
    kpole = kcosine - sqrt(kcosine * kcosine - 1)
    kbefore = kcutoff
  endif
  astate init 0
  astate = (1 - kpole) * asignal + kpole * astate
  xout astate
endop

instr 1
  asignal $SIGNAL p4
  $CUTOFFRATE.cutoff expon $CUTOFFSTART, p3, $CUTOFFEND
  afiltered init 0
#ifndef EMPTY
  afiltered $OPCODE asignal, $CUTOFFRATE.cutoff
#end
#ifndef MUTED
  outch p4, afiltered
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
