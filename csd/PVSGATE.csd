<CsoundSynthesizer>
<CsInstruments>
; A melody in noise: PVSGATE closes the bins that hold only noise.
;   csound --opcode-lib=./build/libopcodes.so csd/PVSGATE.csd -odac
; Every macro can be set from outside: --omacro:OPCODE=pvstencil plays Csound's own.

sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

#ifndef OPCODE
#define OPCODE #PVSGATE#
#end
; The signal: Melody, Noise, Impulses or Input (the sound card, or a file the harness feeds).
#ifndef SIGNAL
#define SIGNAL #Melody#
#end
#ifndef DURATION
#define DURATION #6#
#end
; The threshold goes from one amplitude to the other, the depth from one part to the other.
#ifndef THRESHOLDSTART
#define THRESHOLDSTART #0.005#
#end
#ifndef THRESHOLDEND
#define THRESHOLDEND #0.005#
#end
#ifndef DEPTHSTART
#define DEPTHSTART #1#
#end
#ifndef DEPTHEND
#define DEPTHEND #1#
#end
#ifndef FFTSIZE
#define FFTSIZE #1024#
#end
#ifndef OVERLAP
#define OVERLAP #256#
#end

; Csound's own has no overload with these arguments: its table of weights is a table of ones here, and
; its gain is what the depth leaves.
giones ftgen 0, 0, -($FFTSIZE / 2 + 1), -7, 1, $FFTSIZE / 2 + 1, 1
opcode pvstencil, f, fkk
  fsignal, kthreshold, kdepth xin
  fgated pvstencil fsignal, 1 - kdepth, kthreshold, giones
  xout fgated
endop

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
  kthreshold line $THRESHOLDSTART, p3, $THRESHOLDEND
  kdepth line $DEPTHSTART, p3, $DEPTHEND
  fsignal pvsanal asignal, $FFTSIZE, $OVERLAP, $FFTSIZE, 1
#ifdef MEASURED
  ; Eight calls, to measure what one costs.
#ifndef EMPTY
  fgated $OPCODE fsignal, kthreshold, kdepth
  fother $OPCODE fgated, kthreshold, kdepth
  fgated $OPCODE fother, kthreshold, kdepth
  fother $OPCODE fgated, kthreshold, kdepth
  fgated $OPCODE fother, kthreshold, kdepth
  fother $OPCODE fgated, kthreshold, kdepth
  fgated $OPCODE fother, kthreshold, kdepth
  fother $OPCODE fgated, kthreshold, kdepth
#end
#else
#ifdef EMPTY
  fgated = fsignal
#else
  fgated $OPCODE fsignal, kthreshold, kdepth
#end
  asound pvsynth fgated
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
