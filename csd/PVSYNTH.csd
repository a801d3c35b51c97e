<CsoundSynthesizer>
<CsInstruments>
; A melody in noise, put together from its spectra by PVSYNTH.
;   csound --opcode-lib=./build/libopcodes.so csd/PVSYNTH.csd -odac
; Every macro can be set from outside: --omacro:OPCODE=pvsynth plays Csound's own.

sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

#ifndef OPCODE
#define OPCODE #PVSYNTH#
#end
; The signal: Melody, Noise, Impulses or Input (the sound card, or a file the harness feeds).
#ifndef SIGNAL
#define SIGNAL #Melody#
#end
#ifndef DURATION
#define DURATION #6#
#end
; Samples in the transform, between two spectra and in the window; the window: 0 Hamming, 1 Hann, 2 Kaiser.
#ifndef FFTSIZE
#define FFTSIZE #1024#
#end
#ifndef OVERLAP
#define OVERLAP #256#
#end
#ifndef WINDOWSIZE
#define WINDOWSIZE #$FFTSIZE#
#end
#ifndef WINDOW
#define WINDOW #1#
#end

opcode Melody, a, i
  ichannel xin
  kstep = int(timeinsts() * 4) % 8
  kpitches[] fillarray 60, 67, 63, 70, 67, 72, 63, 62
  kpitch portk kpitches[kstep], 0.005
  asung vco2 0.3, cpsmidinn(kpitch)
  anoise rand 0.02, 0.5 / ichannel, 1
  xout tone(asung, 3000) + anoise
endop

opcode Noise, a, i
  ichannel xin
  anoise rand 0.5, 0.5 / ichannel, 1
  xout anoise
endop

opcode Impulses, a, i
  ichannel xin
  aimpulses mpulse 1, 0.05 * ichannel
  xout aimpulses
endop

opcode Input, a, i
  ichannel xin
  ainput inch ichannel
  xout ainput
endop

instr 1
  asignal $SIGNAL p4
  fsignal pvsanal asignal, $FFTSIZE, $OVERLAP, $WINDOWSIZE, $WINDOW
  asound init 0
#ifndef EMPTY
  asound $OPCODE fsignal
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
