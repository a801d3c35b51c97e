<CsoundSynthesizer>
<CsInstruments>
; Drums on a steel plate, heard at two places that go round.
;   csound --opcode-lib=./build/libopcodes.so csd/PLATE.csd -odac
; Every macro can be set from outside: --omacro:OPCODE=platerev plays Csound's own, more than five times as slow.

sr = 48000
ksmps = 64
nchnls = 2
0dbfs = 1

#ifndef OPCODE
#define OPCODE #PLATE#
#end
; The signal: Drum, Noise, Impulse, Burst or Input (the sound card, or a file the harness feeds).
#ifndef SIGNAL
#define SIGNAL #Drum#
#end
#ifndef LEVEL
#define LEVEL #0.5#
#end
#ifndef DURATION
#define DURATION #2#
#end
; The edge: 0 free, 1 clamped, 2 supported; the second value after half of the time.
#ifndef EDGE
#define EDGE #0#
#end
#ifndef EDGEEND
#define EDGEEND #$EDGE#
#end
#ifndef ASPECT
#define ASPECT #0.73#
#end
#ifndef STIFFNESS
#define STIFFNESS #3#
#end
#ifndef DECAY
#define DECAY #6#
#end
#ifndef LOSS
#define LOSS #0.0009#
#end
; Radii of the inputs and outputs.
#ifndef RADIUS
#define RADIUS #0.7#
#end
; How much of the signal itself is heard.
#ifndef DRY
#define DRY #0.3#
#end

; Rounds per second, radius, angle.
giinputs ftgen 1, 0, -6, -2, 0.3, 0.3875, 0.39274, 0, $RADIUS, 2
gioutputs ftgen 2, 0, -6, -2, 0.25, $RADIUS, 1.57, 0.75, $RADIUS, 4

opcode Drum, a, i
  ichannel xin
  aphase phasor 2, 1.5 - 0.5 * ichannel
  anoise rand $LEVEL, 0.5 / ichannel, 1
  ; The 32nd power.
  adecay = 1 - aphase
  adecay = adecay * adecay
  adecay = adecay * adecay
  adecay = adecay * adecay
  adecay = adecay * adecay
  adecay = adecay * adecay
  xout 0.4 * anoise * adecay
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
  ainput inch min(ichannel, nchnls)
  xout ainput
endop

instr 1
  aleft $SIGNAL 1
  aright $SIGNAL 2
  kedge = timeinsts() < p3 / 2 ? $EDGE : $EDGEEND
  awetleft init 0
  awetright init 0
#ifndef EMPTY
  awetleft, awetright $OPCODE giinputs, gioutputs, kedge, $ASPECT, $STIFFNESS, $DECAY, $LOSS, aleft, aright
#end
#ifndef MUTED
  outch 1, $DRY * aleft + awetleft, min(2, nchnls), $DRY * aright + awetright
#end
endin

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
