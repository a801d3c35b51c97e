<CsoundSynthesizer>
<CsInstruments>
; Plucked notes beside themselves through a delay that sways: a chorus.
;   csound --opcode-lib=./build/libopcodes.so csd/VDELAY.csd -odac
; Every macro can be set from outside: --omacro:OPCODE=vdelay3 plays Csound's own.

sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

#ifndef OPCODE
#define OPCODE #VDELAY#
#end
; The signal: Pluck, Noise, Impulse, Sine or Input (the sound card, or a file the harness feeds).
#ifndef SIGNAL
#define SIGNAL #Pluck#
#end
#ifndef LEVEL
#define LEVEL #0.5#
#end
#ifndef DURATION
#define DURATION #4#
#end
; The delay goes from one value to the other, in milliseconds, at k-rate or a-rate, and sways around it.
#ifndef DELAYRATE
#define DELAYRATE #a#
#end
#ifndef DELAYSTART
#define DELAYSTART #12#
#end
#ifndef DELAYEND
#define DELAYEND #12#
#end
#ifndef SWAY
#define SWAY #4#
#end
#ifndef SWAYFREQUENCY
#define SWAYFREQUENCY #0.7#
#end
; From one sample up to where vdelay3 begins to wrap round; VDELAY itself takes any delay.
#ifndef SHORTEST
#define SHORTEST #1000/sr#
#end
#ifndef LONGEST
#define LONGEST #$MAXIMUM-3000/sr#
#end
#ifndef MAXIMUM
#define MAXIMUM #50#
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
  aimpulse mpulse $LEVEL, 0.01 * ichannel
  xout aimpulse
endop

opcode Sine, a, i
  ichannel xin
  asine oscili $LEVEL, 3000 * ichannel
  xout asine
endop

opcode Input, a, i
  ichannel xin
  ainput inch ichannel
  xout ainput
endop

instr 1
  asignal $SIGNAL p4
  $DELAYRATE.line line $DELAYSTART, p3, $DELAYEND
  $DELAYRATE.sway oscili $SWAY, $SWAYFREQUENCY
  $DELAYRATE.delay limit $DELAYRATE.line + $DELAYRATE.sway, $SHORTEST, $LONGEST
  adelayed init 0
#ifndef EMPTY
  adelayed $OPCODE asignal, $DELAYRATE.delay, $MAXIMUM
#end
#ifndef MUTED
  outch p4, $DRY * asignal + adelayed
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
