<CsoundSynthesizer>
<CsInstruments>
; Plucked notes in a hall.
;   csound --opcode-lib=./build/libopcodes.so csd/REVERBSC.csd -odac
; Every macro can be set from outside: --omacro:OPCODE=reverbsc plays Csound's own.

sr = 48000
ksmps = 64
nchnls = 2
0dbfs = 1

#ifndef OPCODE
#define OPCODE #REVERBSC#
#end
; The signal: Pluck, Noise, Impulse, Burst or Input (the sound card, or a file the harness feeds).
#ifndef SIGNAL
#define SIGNAL #Pluck#
#end
#ifndef LEVEL
#define LEVEL #0.5#
#end
#ifndef DURATION
#define DURATION #4#
#end
; Feedback and cutoff (Hz) go from one value to the other.
#ifndef FEEDBACKSTART
#define FEEDBACKSTART #0.85#
#end
#ifndef FEEDBACKEND
#define FEEDBACKEND #0.85#
#end
#ifndef CUTOFFSTART
#define CUTOFFSTART #9000#
#end
#ifndef CUTOFFEND
#define CUTOFFEND #9000#
#end
; The sample rate the lines are tuned for, and how far their lengths wander.
#ifndef TUNING
#define TUNING #sr#
#end
#ifndef WANDER
#define WANDER #1#
#end
; How much of the signal itself is heard.
#ifndef DRY
#define DRY #0.5#
#end

opcode Pluck, a, i
  ichannel xin
  kstep randh 6, 6, 0.5 / ichannel
  aphase phasor 6
  asaw vco2 $LEVEL, 220 * ichannel * 2 ^ (round(kstep) / 6)
  xout asaw * exp(-8 * aphase)
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
  aenvelope linseg 1, 0.1, 1, 0, 0, 1, 0
  xout anoise * aenvelope
endop

opcode Input, a, i
  ichannel xin
  ainput inch min(ichannel, nchnls)
  xout ainput
endop

instr 1
  aleft $SIGNAL 1
  aright $SIGNAL 2
  kfeedback line $FEEDBACKSTART, p3, $FEEDBACKEND
  kcutoff line $CUTOFFSTART, p3, $CUTOFFEND
  awetleft init 0
  awetright init 0
#ifndef EMPTY
  awetleft, awetright $OPCODE aleft, aright, kfeedback, kcutoff, $TUNING, $WANDER
#end
#ifndef MUTED
  outch 1, $DRY * aleft + awetleft, min(2, nchnls), $DRY * aright + awetright
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
