<CsoundSynthesizer>
<CsInstruments>
; Clicks and a tone through the springs of a VCS3.
;   csound --opcode-lib=./build/libopcodes.so csd/SPRING.csd -odac
; Every macro can be set from outside: --omacro:OPCODE=SpringUDO computes the same springs in Csound's own
; language.

sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

#ifndef OPCODE
#define OPCODE #SPRING#
#end
; The signal: Plucks, Noise, Impulse, Burst or Input (the sound card, or a file the harness feeds).
#ifndef SIGNAL
#define SIGNAL #Plucks#
#end
#ifndef LEVEL
#define LEVEL #0.5#
#end
#ifndef DURATION
#define DURATION #6#
#end
; Seconds until low frequencies have lost 60 dB, and round trips; -1 for what the opcode takes by itself.
#ifndef DECAY
#define DECAY #-1#
#end
#ifndef DELAY1
#define DELAY1 #-1#
#end
#ifndef DELAY2
#define DELAY2 #-1#
#end

opcode Plucks, a, i
  ichannel xin
  aimpulse mpulse $LEVEL, 1.5
  asaw vco2 $LEVEL, 220 * ichannel
  aenvelope limit 1 - 10 * phasor:a(1 / 1.5), 0, 1
  xout aimpulse + asaw * aenvelope * aenvelope
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

; An eighth-order Chebyshev lowpass of four biquads.
opcode Chebyshev, a, ai
  asignal, iedge xin
  iroot = exp(log(1 / sqrt(10 ^ 0.05 - 1) + sqrt(1 / (10 ^ 0.05 - 1) + 1)) / 8)
  isinh = 0.5 * (iroot - 1 / iroot)
  icosh = 0.5 * (iroot + 1 / iroot)
  iomega = tan($M_PI * iedge / sr)
  id1 = iomega * isinh * sin($M_PI / 16)
  id2 = iomega * isinh * sin(3 * $M_PI / 16)
  id3 = iomega * isinh * sin(5 * $M_PI / 16)
  id4 = iomega * isinh * sin(7 * $M_PI / 16)
  iw1 = id1 ^ 2 + (iomega * icosh * cos($M_PI / 16)) ^ 2
  iw2 = id2 ^ 2 + (iomega * icosh * cos(3 * $M_PI / 16)) ^ 2
  iw3 = id3 ^ 2 + (iomega * icosh * cos(5 * $M_PI / 16)) ^ 2
  iw4 = id4 ^ 2 + (iomega * icosh * cos(7 * $M_PI / 16)) ^ 2
  asignal biquad asignal, iw1, 2 * iw1, iw1, 1 + 2 * id1 + iw1, 2 * (iw1 - 1), 1 - 2 * id1 + iw1
  asignal biquad asignal, iw2, 2 * iw2, iw2, 1 + 2 * id2 + iw2, 2 * (iw2 - 1), 1 - 2 * id2 + iw2
  asignal biquad asignal, iw3, 2 * iw3, iw3, 1 + 2 * id3 + iw3, 2 * (iw3 - 1), 1 - 2 * id3 + iw3
  asignal biquad asignal, iw4, 2 * iw4, iw4, 1 + 2 * id4 + iw4, 2 * (iw4 - 1), 1 - 2 * id4 + iw4
  xout asignal
endop

; The two loops, one sample in ifactor.
opcode Loops, a, akiii
  asignal, kdecay, idelay1, idelay2, ifactor xin
  setksmps 1
  irate = sr / ifactor
  ilength1 = int(idelay1 * irate - 48 * 0.25 / 1.75 - 3 + 0.5)
  ilength2 = int(idelay2 * irate - 48 * 0.25 / 1.75 - 3 + 0.5)
  isize = max(ilength1, ilength2) + 1
  ipole = exp(-2 * $M_PI * 40 / irate)
  ; What 0 Hz takes for a round.
  iround1 = (ilength1 + 48 * 0.25 / 1.75 + 3) / irate
  iround2 = (ilength2 + 48 * 0.25 / 1.75 + 3) / irate
  kline1[] init isize
  kline2[] init isize
  kchain[] init 104
  kinput init 0
  kpassed init 0
  kplace init 0
  kwait init 0
  kout = 0
  if kwait == 0 then
    kread1 = (kplace - ilength1 + isize) % isize
    kread2 = (kplace - ilength2 + isize) % isize
    kdelayed1 = kline1[kread1]
    kdelayed2 = kline2[kread2]
    kpassed = asignal[0] - kinput + ipole * kpassed
    kinput = asignal[0]
    kinto1 = kpassed - 10 ^ (-3 * iround1 / kdecay) * kdelayed1
    kinto2 = kpassed - 10 ^ (-3 * iround2 / kdecay) * kdelayed2
    klane = 7
    while klane >= 0 do
      ksignal = klane == 0 ? kinto1 : kchain[96 + max(klane, 1) - 1]
      ksignal = klane == 4 ? kinto2 : ksignal
      klast = kchain[klane]
      kchain[klane] = ksignal
      kindex = klane + 8
      while kindex < 104 do
        kold = kchain[kindex]
        ksignal = klast + 0.75 * (ksignal - kold)
        klast = kold
        kchain[kindex] = ksignal
        kindex += 8
      od
      klane -= 1
    od
    kline1[kplace] = kchain[99]
    kline2[kplace] = kchain[103]
    kplace = (kplace + 1) % isize
    kout = 0.5 * (kdelayed1 + kdelayed2) * ifactor
    kwait = ifactor
  endif
  kwait -= 1
  aout = kout
  xout aout
endop

; The same springs.
opcode SpringUDO, a, akii
  asignal, kdecay, idelay1, idelay2 xin
  idelay1 = idelay1 == -1 ? 0.025 : idelay1
  idelay2 = idelay2 == -1 ? 0.03 : idelay2
  kdecay = kdecay == -1 ? 2 : kdecay
  ifactor = max(1, int(sr / 9600 + 0.5))
  abefore Chebyshev asignal, 0.4 * sr / ifactor
  aloops Loops abefore, kdecay, idelay1, idelay2, ifactor
  aout Chebyshev aloops, 0.4 * sr / ifactor
  xout aout
endop

instr 1
  asignal $SIGNAL p4
  aout init 0
#ifndef EMPTY
  aout $OPCODE asignal, $DECAY, $DELAY1, $DELAY2
#end
#ifndef MUTED
  outch p4, aout
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
