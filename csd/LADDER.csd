<CsoundSynthesizer>
<CsInstruments>
; A saw through the ladder without delay while its cutoff sweeps.
;   csound --opcode-lib=./build/libopcodes.so csd/LADDER.csd -odac
; Every macro can be set from outside: --omacro:MODE=4 plays the bandpass, and --omacro:OPCODE=LadderUDO the
; same filter in Csound's language.

sr = 48000
ksmps = 64
nchnls = 1
#ifndef FULLSCALE
#define FULLSCALE #1#
#end
0dbfs = $FULLSCALE

#ifndef OPCODE
#define OPCODE #LADDER#
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
; 0 to 3 for lowpass with 24, 18, 12 or 6 dB per octave, 4 for bandpass, 5 for highpass.
#ifndef MODE
#define MODE #0#
#end
#ifndef DRIVE
#define DRIVE #1#
#end
; 0 for none, 1 for soft, 2 for hard.
#ifndef SATURATION
#define SATURATION #1#
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

; The ladder as users write it: the same equations, one sample in a k-cycle.
opcode LadderUDO, a, akkiki
  setksmps 1
  asignal, kcutoff, kresonance, imode, kdrive, isaturation xin
  ks1 init 0
  ks2 init 0
  ks3 init 0
  ks4 init 0
  kbefore init -1
  kgain init 0
  if kcutoff != kbefore then
    ktangent = tan($M_PI * limit(kcutoff, 0, 0.49 * sr) / sr)
    kgain = ktangent / (1 + ktangent)
    kbefore = kcutoff
  endif
  kkeep = 1 - kgain
  kfeedback = 4 * limit(kresonance, 0, isaturation == 0 ? 0.9999 : 2)
  kloop = kfeedback * kgain * kgain * kgain * kgain
  ; The poles without u.
  k1 = kkeep * ks1
  k2 = kkeep * ks2 + kgain * k1
  k3 = kkeep * ks3 + kgain * k2
  k4 = kkeep * ks4 + kgain * k3
  kinput downsamp asignal
  ku = (kdrive * kinput / 0dbfs - kfeedback * k4) / (1 + kloop)
  if isaturation == 1 then
    ; One step of Newton's method for u = T(a - b u).
    kv = limit(ku, -3, 3)
    kvalue = kv * (27 + kv * kv) / (27 + 9 * kv * kv)
    kslope = (9 - kv * kv) / (9 + 3 * kv * kv)
    ksteep = kloop * kslope * kslope
    ku = (kvalue + ksteep * kv) / (1 + ksteep)
  else
    ilimit = isaturation == 2 ? 1 : 1000
    ku = limit(ku, -ilimit, ilimit)
  endif
  k1 = k1 + kgain * ku
  k2 = kkeep * ks2 + kgain * k1
  k3 = kkeep * ks3 + kgain * k2
  k4 = kkeep * ks4 + kgain * k3
  ks1 = 2 * k1 - ks1
  ks2 = 2 * k2 - ks2
  ks3 = 2 * k3 - ks3
  ks4 = 2 * k4 - ks4
  if imode == 0 then
    kout = k4
  elseif imode == 1 then
    kout = k3
  elseif imode == 2 then
    kout = k2
  elseif imode == 3 then
    kout = k1
  elseif imode == 4 then
    kout = 4 * (k2 - 2 * k3 + k4)
  else
    kout = ku - 4 * k1 + 6 * k2 - 4 * k3 + k4
  endif
  aout upsamp kout * 0dbfs
  xout aout
endop

; The same with a-rate controls.
opcode LadderUDO, a, aakiki
  setksmps 1
  asignal, acutoff, kresonance, imode, kdrive, isaturation xin
  kcutoff downsamp acutoff
  aout LadderUDO asignal, kcutoff, kresonance, imode, kdrive, isaturation
  xout aout
endop

opcode LadderUDO, a, akaiki
  setksmps 1
  asignal, kcutoff, aresonance, imode, kdrive, isaturation xin
  kresonance downsamp aresonance
  aout LadderUDO asignal, kcutoff, kresonance, imode, kdrive, isaturation
  xout aout
endop

opcode LadderUDO, a, aaaiki
  setksmps 1
  asignal, acutoff, aresonance, imode, kdrive, isaturation xin
  kcutoff downsamp acutoff
  kresonance downsamp aresonance
  aout LadderUDO asignal, kcutoff, kresonance, imode, kdrive, isaturation
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
  afiltered $OPCODE asignal, $CUTOFFRATE.cutoff, $RESONANCERATE.resonance, $MODE, $DRIVE, $SATURATION
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
