<CsoundSynthesizer>
<CsInstruments>
; A tone that fades and bends while its pulse's width goes from one side to the other.
;   csound --opcode-lib=./build/libopcodes.so csd/VCO2.csd -odac
; Every macro can be set from outside: --omacro:OPCODE=vco2 plays Csound's own.

sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

#ifndef OPCODE
#define OPCODE #VCO2#
#end
; The wave: 0 saw, 2 pulse, 4 saw to triangle to ramp, 6 pulse that is not normalised, 8 parabola, 10 square,
; 12 triangle; 16 more for a phase that is modulated.
#ifndef MODE
#define MODE #2#
#end
#ifndef DURATION
#define DURATION #4#
#end
; The frequency goes from one to the other, the width from one to the other, the phase to PHASEEND.
#ifndef FREQUENCYSTART
#define FREQUENCYSTART #220#
#end
#ifndef FREQUENCYEND
#define FREQUENCYEND #$FREQUENCYSTART * 1.01#
#end
#ifndef WIDTHSTART
#define WIDTHSTART #0.1#
#end
#ifndef WIDTHEND
#define WIDTHEND #0.9#
#end
#ifndef PHASESTART
#define PHASESTART #0#
#end
#ifndef PHASEEND
#define PHASEEND #$PHASESTART#
#end
; Harmonics up to this part of the sample rate.
#ifndef BANDWIDTH
#define BANDWIDTH #0.5#
#end

instr 1
  kfade line 0.3, p3, 0.1
  ksweep line $FREQUENCYSTART * p4, p3, $FREQUENCYEND * p4
  kwidth line $WIDTHSTART, p3, $WIDTHEND
  kphase init $PHASESTART
  kphase line $PHASESTART, p3, $PHASEEND
  asound init 0
#ifndef EMPTY
  asound $OPCODE kfade, ksweep, $MODE, kwidth, kphase, $BANDWIDTH
#end
#ifndef MUTED
  outch p4, asound
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
