<CsoundSynthesizer>
<CsInstruments>
; A drum and a bass, made even and loud without a peak above -1 dB.
;   csound --opcode-lib=./build/libopcodes.so csd/COMPRESSOR.csd -odac
; Every macro can be set from outside: --omacro:OPCODE=CompressorUDO computes the same in Csound's own language, and
; --omacro:THRESHOLDSTART=0 --omacro:THRESHOLDEND=0 plays what comes in.

sr = 48000
ksmps = 64
#ifndef MONO
nchnls = 2
#else
nchnls = 1
#end
#ifndef FULLSCALE
#define FULLSCALE #1#
#end
0dbfs = $FULLSCALE

#ifndef OPCODE
#define OPCODE #COMPRESSOR#
#end
; The signal: Beat, Noise, Swell, Impulse, Burst or Input (the sound card, or a file the harness feeds).
#ifndef SIGNAL
#define SIGNAL #Beat#
#end
#ifndef LEVEL
#define LEVEL #0.9#
#end
#ifndef DURATION
#define DURATION #6#
#end
; The threshold in dB goes from one value to the other.
#ifndef THRESHOLDSTART
#define THRESHOLDSTART #-20#
#end
#ifndef THRESHOLDEND
#define THRESHOLDEND #-20#
#end
; 0 for a limiter.
#ifndef RATIO
#define RATIO #4#
#end
; Times in seconds.
#ifndef ATTACK
#define ATTACK #0.01#
#end
#ifndef RELEASE
#define RELEASE #0.15#
#end
#ifndef LOOKAHEAD
#define LOOKAHEAD #0.005#
#end
; The width of the knee in dB.
#ifndef KNEE
#define KNEE #6#
#end
#ifndef TRUEPEAK
#define TRUEPEAK #0#
#end
; What the sound is amplified by in the end, in dB, before a limiter. Without this macro there is neither.
#ifndef BARE
#ifndef MAKEUP
#define MAKEUP #14#
#end
#end

opcode Beat, a, i
  ichannel xin
  aphase phasor 2
  akick = sin(40 * (1 - exp(-20 * aphase)) + 60 * aphase) * exp(-8 * aphase)
  asnarephase phasor 1, 0.5
  anoise rand 0.5, 0.5 / ichannel, 1
  asnare = anoise * exp(-15 * asnarephase)
  kstep lfo 3, 0.5, 3
  abass vco2 0.12, 55 * 2 ^ (int(kstep) / 12)
  xout $LEVEL * 0dbfs * (0.6 * akick + 0.5 * asnare + abass)
endop

opcode Noise, a, i
  ichannel xin
  anoise rand $LEVEL * 0dbfs, 0.5 / ichannel, 1
  xout anoise
endop

opcode Swell, a, i
  ichannel xin
  alevel = 0.5 - 0.5 * cos(2 * $M_PI * phasor:a(9 * ichannel))
  asine oscili $LEVEL * 0dbfs, 1000 * ichannel
  xout alevel * asine
endop

opcode Impulse, a, i
  ichannel xin
  aimpulse mpulse $LEVEL * 0dbfs, 0.03 * ichannel
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
  ainput inch min(ichannel, nchnls)
  xout ainput
endop

; The same compressor, one sample at a time. The minimum (imode 0) or the sum of the last iframes numbers:
opcode Sliding, k, kii
  knumber, iframes, imode xin
  itable ftgentmp 0, 0, -(iframes + 1), -2, 0
  kplace init 0
  krunning init 0
  tabw knumber, kplace, itable
  krunning = imode == 0 ? min(krunning, knumber) : krunning + knumber
  kplace += 1
  kresult = krunning
  if kplace == iframes then
    krunning = 0
    krest = 0
    while kplace > 0 do
      kplace -= 1
      kthis tab kplace, itable
      krest = imode == 0 ? min(kthis, krest) : kthis + krest
      tabw krest, kplace, itable
    od
  else
    kthis tab kplace, itable
    kresult = imode == 0 ? min(krunning, kthis) : krunning + kthis
  endif
  xout kresult
endop

; From a peak to a gain.
opcode Gain, k, kkkkkii
  kpeak, kthreshold, kratio, kattack, krelease, iknee, iframes xin
  kover = 20 * log10(max(kpeak / 0dbfs, 1e-300)) - kthreshold
  kslope = kratio == 0 ? -1 : 1 / max(kratio, 1) - 1
  kbent = min(max(kover + iknee / 2, 0), iknee)
  kgoal = kslope * (kbent * kbent / max(2 * iknee, 1e-9) + max(kover - iknee / 2, 0))
  kreduction init 0
  klowest Sliding kgoal, iframes + 1, 0
  ktime = klowest < kreduction ? kattack : krelease
  kpole = ktime > 0 ? exp(-1 / (max(ktime, 1e-9) * sr)) : 0
  kreduction = klowest + kpole * (kreduction - klowest)
  ifirst = int((iframes + 2) / 2)
  kmean Sliding kreduction, ifirst, 1
  ksum Sliding kmean, iframes + 2 - ifirst, 1
  xout 10 ^ (ksum / (ifirst * (iframes + 2 - ifirst)) / 20)
endop

; Bessel's function I0.
opcode Bessel, i, i
  ix xin
  iterm = 1
  isum = 1
  iorder = 1
  while iorder < 30 do
    iterm *= ix * ix / (4 * iorder * iorder)
    isum += iterm
    iorder += 1
  od
  xout isum
endop

; The largest magnitude between the sample eight frames ago and its neighbours.
opcode TruePeak, k, k
  ksample xin
  iline ftgentmp 0, 0, -16, -2, 0
  itaps ftgentmp 0, 0, -128, -2, 0
  itap = 0
  while itap < 128 do
    itime = itap % 16 - 7 - int(itap / 16) / 8
    isinc = itime == 0 ? 1 : sin($M_PI * itime) / ($M_PI * (itime == 0 ? 1 : itime))
    iwindow Bessel 5 * sqrt(max(0, 1 - itime * itime / 64))
    ilargest Bessel 5
    tabw_i isinc * iwindow / ilargest, itap, itaps
    itap += 1
  od
  kplace init 0
  kbefore init 0
  tabw ksample, kplace, iline
  kplace = (kplace + 1) % 16
  kpeak = 0
  kpoint = 0
  while kpoint < 8 do
    ksum = 0
    ktap = 0
    while ktap < 16 do
      kx tab (kplace + ktap) % 16, iline
      kh tab kpoint * 16 + ktap, itaps
      ksum += kx * kh
      ktap += 1
    od
    kpeak = max(kpeak, abs(ksum))
    kpoint += 1
  od
  klargest = max(kpeak, kbefore)
  kbefore = kpeak
  xout klargest
endop

opcode Peak, k, ki
  ksample, itruepeak xin
  if itruepeak == 0 then
    kpeak = abs(ksample)
  else
    kpeak TruePeak ksample
  endif
  xout kpeak
endop

opcode Late, a, ai
  ain, iframes xin
  if iframes > 0 then
    aout delay ain, iframes / sr
  else
    aout = ain
  endif
  xout aout
endop

#ifdef MONO
opcode CompressorUDO, a, akkkkiii
  setksmps 1
  ain, kthreshold, kratio, kattack, krelease, iknee, ilookahead, itruepeak xin
  iframes = int(ilookahead * sr + 0.5)
  kpeak Peak k(ain), itruepeak
  kgain Gain kpeak, kthreshold, kratio, kattack, krelease, iknee, iframes
  alate Late ain, iframes + (itruepeak == 0 ? 0 : 8)
  xout alate * kgain
endop
#else
opcode CompressorUDO, aa, aakkkkiii
  setksmps 1
  aleft, aright, kthreshold, kratio, kattack, krelease, iknee, ilookahead, itruepeak xin
  iframes = int(ilookahead * sr + 0.5)
  kleft Peak k(aleft), itruepeak
  kright Peak k(aright), itruepeak
  kgain Gain max(kleft, kright), kthreshold, kratio, kattack, krelease, iknee, iframes
  alateleft Late aleft, iframes + (itruepeak == 0 ? 0 : 8)
  alateright Late aright, iframes + (itruepeak == 0 ? 0 : 8)
  xout alateleft * kgain, alateright * kgain
endop
#end

instr 1
  kthreshold line $THRESHOLDSTART, p3, $THRESHOLDEND
#ifdef MONO
  ain $SIGNAL 1
  aout = ain
#ifndef EMPTY
  aout $OPCODE ain, kthreshold, $RATIO, $ATTACK, $RELEASE, $KNEE, $LOOKAHEAD, $TRUEPEAK
#end
#ifndef MUTED
  outch 1, aout
#end
#else
  aleft $SIGNAL 1
  aright $SIGNAL 2
#ifndef EMPTY
  aleft, aright $OPCODE aleft, aright, kthreshold, $RATIO, $ATTACK, $RELEASE, $KNEE, $LOOKAHEAD, $TRUEPEAK
#ifdef MAKEUP
  aleft, aright $OPCODE ampdb($MAKEUP) * aleft, ampdb($MAKEUP) * aright, -1, 0, 0, 0.05, 0, 0.005, 1
#end
#end
#ifndef MUTED
  outch 1, aleft, 2, aright
#end
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
