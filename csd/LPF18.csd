<CsoundSynthesizer>
<CsInstruments>
; A saw through LPF18 while its cutoff sweeps.
;   csound --opcode-lib=./build/libopcodes.so csd/LPF18.csd -odac
; Every macro can be set from outside: --omacro:OPCODE=lpf18 plays Csound's own.

sr = 48000
ksmps = 64
nchnls = 1
#ifndef FULLSCALE
#define FULLSCALE #1#
#end
0dbfs = $FULLSCALE

#ifndef OPCODE
#define OPCODE #LPF18#
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

#ifndef DISTORTIONRATE
#define DISTORTIONRATE #k#
#end
#ifndef DISTORTION
#define DISTORTION #0.5#
#end
opcode Saw, a, i
  ichannel xin
  asaw vco2 $LEVEL * 0dbfs, 110 * ichannel
  xout asaw
endop

opcode Noise, a, i
  ichannel xin
  anoise rand $LEVEL * 0dbfs, 0.5 / ichannel, 1
  xout anoise
endop

opcode Impulse, a, i
  ichannel xin
  aimpulse mpulse $LEVEL * 0dbfs, 0
  xout aimpulse
endop

opcode Burst, a, i
  ichannel xin
  anoise rand $LEVEL * 0dbfs, 0.5 / ichannel, 1
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
  $RESONANCERATE.resonance line $RESONANCESTART, p3, $RESONANCEEND
  $DISTORTIONRATE.distortion line $DISTORTION, p3, 0.9 * $DISTORTION
  afiltered init 0
#ifndef EMPTY
  afiltered $OPCODE asignal, $CUTOFFRATE.cutoff, $RESONANCERATE.resonance, $DISTORTIONRATE.distortion
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
