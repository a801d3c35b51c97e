<CsoundSynthesizer>
<CsInstruments>
; A saw through the Moog ladder while its cutoff sweeps.
;   csound --opcode-lib=./build/libopcodes.so csd/MOOGLADDER.csd -odac
; Every macro can be set from outside: --omacro:OPCODE=moogladder plays Csound's own, and
; --omacro:OPCODE=MoogladderUDO --omacro:CUTOFFRATE=k the same in Csound's language.

sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

#ifndef OPCODE
#define OPCODE #MOOGLADDER#
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
#define CUTOFFEND #8000#
#end
#ifndef VIBRATO
#define VIBRATO #0#
#end
#ifndef RESONANCERATE
#define RESONANCERATE #k#
#end
#ifndef RESONANCESTART
#define RESONANCESTART #0.7#
#end
#ifndef RESONANCEEND
#define RESONANCEEND #0.7#
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

; The ladder as users write it: the same recurrence, one sample in a k-cycle.
opcode MoogladderUDO, a, akk
  setksmps 1
  asignal, kcutoff, kresonance xin
  kgain init 0
  kfeedback init 0
  kd0 init 0
  kd1 init 0
  kd2 init 0
  kd3 init 0
  kmean init 0
  kt0 init 0
  kt1 init 0
  kt2 init 0
  kamplitude init 0
  kbefore init -1
  if kcutoff != kbefore then
    kf = kcutoff / sr
    kcorrection = 1.8730 * kf * kf * kf + 0.4955 * kf * kf - 0.6490 * kf + 0.9988
    kgain = 1 - exp(-$M_PI * kf * kcorrection)
    kamplitude = -3.9364 * kf * kf + 1.8409 * kf + 0.9968
    kbefore = kcutoff
  endif
  kfeedback = 4 * kresonance * kamplitude
  kinput downsamp asignal
  kinput = kinput / (1.22070315 * 0dbfs)
  khalf = 0
  while khalf < 2 do
    kd0 = kd0 + kgain * (tanh(kinput - kfeedback * kmean) - kt0)
    kt0 = tanh(kd0)
    kd1 = kd1 + kgain * (kt0 - kt1)
    kt1 = tanh(kd1)
    kd2 = kd2 + kgain * (kt1 - kt2)
    kt2 = tanh(kd2)
    klast = kd3
    kd3 = klast + kgain * (kt2 - tanh(klast))
    kmean = 0.5 * (klast + kd3)
    khalf += 1
  od
  aout upsamp kmean * 1.22070315 * 0dbfs
  xout aout
endop

instr 1
  asignal $SIGNAL p4
  $CUTOFFRATE.sweep expon $CUTOFFSTART, p3, $CUTOFFEND
  $CUTOFFRATE.vibrato oscili $VIBRATO, 811
  $CUTOFFRATE.cutoff limit $CUTOFFRATE.sweep * (1 + $CUTOFFRATE.vibrato), 0, sr / 2
  $RESONANCERATE.resonance line $RESONANCESTART, p3, $RESONANCEEND
  afiltered init 0
#ifndef EMPTY
  afiltered $OPCODE asignal, $CUTOFFRATE.cutoff, $RESONANCERATE.resonance
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
