<CsoundSynthesizer>
<CsInstruments>
; A chord of eight saws in one array, through eight filters side by side.
;   csound --opcode-lib=./build/libopcodes.so csd/LPF18-array.csd -odac
; Every macro can be set from outside: --omacro:OPCODE=Lpf18s plays Csound's own, one for
; each channel.

sr = 48000
ksmps = 64
nchnls = 8
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
  asaw vco2 $LEVEL * 0dbfs, 55 * (ichannel + 3)
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

; Csound's own filter for each of eight channels.
opcode Lpf18s, a[], a[]$CUTOFFRATE$RESONANCERATE$DISTORTIONRATE
  asignals[], $CUTOFFRATE.cutoff, $RESONANCERATE.resonance, $DISTORTIONRATE.distortion xin
  afiltered[] init 8
  afiltered[0] lpf18 asignals[0], $CUTOFFRATE.cutoff, $RESONANCERATE.resonance, $DISTORTIONRATE.distortion
  afiltered[1] lpf18 asignals[1], $CUTOFFRATE.cutoff, $RESONANCERATE.resonance, $DISTORTIONRATE.distortion
  afiltered[2] lpf18 asignals[2], $CUTOFFRATE.cutoff, $RESONANCERATE.resonance, $DISTORTIONRATE.distortion
  afiltered[3] lpf18 asignals[3], $CUTOFFRATE.cutoff, $RESONANCERATE.resonance, $DISTORTIONRATE.distortion
  afiltered[4] lpf18 asignals[4], $CUTOFFRATE.cutoff, $RESONANCERATE.resonance, $DISTORTIONRATE.distortion
  afiltered[5] lpf18 asignals[5], $CUTOFFRATE.cutoff, $RESONANCERATE.resonance, $DISTORTIONRATE.distortion
  afiltered[6] lpf18 asignals[6], $CUTOFFRATE.cutoff, $RESONANCERATE.resonance, $DISTORTIONRATE.distortion
  afiltered[7] lpf18 asignals[7], $CUTOFFRATE.cutoff, $RESONANCERATE.resonance, $DISTORTIONRATE.distortion
  xout afiltered
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
  $CUTOFFRATE.sweep expon $CUTOFFSTART, p3, $CUTOFFEND
  $CUTOFFRATE.vibrato oscili $VIBRATO, 811
  $CUTOFFRATE.cutoff limit $CUTOFFRATE.sweep * (1 + $CUTOFFRATE.vibrato), 0, sr / 2
  $RESONANCERATE.resonance line $RESONANCESTART, p3, $RESONANCEEND
  $DISTORTIONRATE.distortion line $DISTORTION, p3, 0.9 * $DISTORTION
  afiltered[] init 8
#ifndef EMPTY
  afiltered $OPCODE asignals, $CUTOFFRATE.cutoff, $RESONANCERATE.resonance, $DISTORTIONRATE.distortion
#end
#ifndef MUTED
  out afiltered
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
