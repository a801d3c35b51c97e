<CsoundSynthesizer>
<CsInstruments>
; Plucked notes in a hall whose bass lasts longer than its treble.
;   csound --opcode-lib=./build/libopcodes.so csd/HALL.csd -odac
; Every macro can be set from outside: --omacro:OPCODE=HallUDO computes the same in Csound's own language.

sr = 48000
ksmps = 64
nchnls = 2
0dbfs = 1

#ifndef OPCODE
#define OPCODE #HALL#
#end
; The signal: Pluck, Noise, Impulse, Burst or Input (the sound card, or a file the harness feeds).
#ifndef SIGNAL
#define SIGNAL #Pluck#
#end
#ifndef LEVEL
#define LEVEL #0.3#
#end
#ifndef DURATION
#define DURATION #6#
#end
; Decay times in seconds; the middle one goes from one value to the other.
#ifndef MIDSTART
#define MIDSTART #2#
#end
#ifndef MIDEND
#define MIDEND #2#
#end
#ifndef LOW
#define LOW #3#
#end
#ifndef HIGH
#define HIGH #1#
#end
#ifndef SIZE
#define SIZE #1#
#end
#ifndef MOTION
#define MOTION #0.5#
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
  aimpulse mpulse $LEVEL, 0.1 * ichannel
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
  ainput inch min(ichannel, nchnls)
  xout ainput
endop

; The same reverberator, one sample at a time. The first prime number from a length in milliseconds on:
opcode Prime, i, ii
  imilliseconds, isize xin
  icandidate = int(imilliseconds / 1000 * isize * sr)
  icandidate += 1 - icandidate % 2
  isprime = 0
  while isprime == 0 do
    isprime = 1
    idivisor = 3
    while idivisor * idivisor <= icandidate do
      if icandidate % idivisor == 0 then
        isprime = 0
      endif
      idivisor += 2
    od
    icandidate += 2
  od
  xout icandidate - 2
endop

opcode HallUDO, aa, aakkkii
  setksmps 1
  aleft, aright, kmid, klow, khigh, isize, imotion xin
  ilengths[] init 8
  ilengths[0] Prime 30.1, isize
  ilengths[1] Prime 38.9, isize
  ilengths[2] Prime 48.7, isize
  ilengths[3] Prime 62.9, isize
  ilengths[4] Prime 34.3, isize
  ilengths[5] Prime 43.1, isize
  ilengths[6] Prime 55.3, isize
  ilengths[7] Prime 71.7, isize
  iallpass[] init 4
  iallpass[0] Prime 4.77, isize
  iallpass[1] Prime 3.6, isize
  iallpass[2] Prime 12.73, isize
  iallpass[3] Prime 9.31, isize
  igains[] fillarray 0.75, 0.75, 0.625, 0.625
  iframes = 65536
  ilines ftgentmp 0, 0, -8 * iframes, -2, 0
  ileftpasses ftgentmp 0, 0, -4 * iframes, -2, 0
  irightpasses ftgentmp 0, 0, -4 * iframes, -2, 0
  kplace init 0
  kfirst[] init 8
  ksecond[] init 8
  kx[] init 8
  kphase[] fillarray 0, 0.25, 0.5, 0.75
  istep[] fillarray 0.31, 0.43, 0.59, 0.71
  kcosine[] init 4
  ksine[] init 4
  kcosinestep[] init 4
  ksinestep[] init 4
  ilowtangent = tan($M_PI * 250 / sr)
  ihightangent = tan($M_PI * 4000 / sr)
  kleftin = k(aleft)
  krightin = k(aright)
  kpass = 0
  while kpass < 4 do
    kread = kpass * iframes + (kplace - iallpass[kpass] + iframes) % iframes
    kwrite = kpass * iframes + kplace
    kd tab kread, ileftpasses
    kv = kleftin - igains[kpass] * kd
    tabw kv, kwrite, ileftpasses
    kleftin = kd + igains[kpass] * kv
    kd tab kread, irightpasses
    kv = krightin - igains[kpass] * kd
    tabw kv, kwrite, irightpasses
    krightin = kd + igains[kpass] * kv
    kpass += 1
  od
  kline = 0
  while kline < 8 do
    kx[kline] tab ((kplace - ilengths[kline] + iframes) % iframes) * 8 + kline, ilines
    kline += 1
  od
  koutleft = 0.35 * (kx[0] - kx[2] + kx[4] - kx[6])
  koutright = 0.35 * (kx[1] - kx[3] + kx[5] - kx[7])
  kline = 0
  while kline < 8 do
    khalf = 1.5 * log(10) * ilengths[kline] / sr
    kgain = exp(-2 * khalf / kmid) * sqrt(0.125)
    klowroot = exp(khalf * (1 / kmid - 1 / klow))
    khighroot = exp(khalf * (1 / kmid - 1 / khigh))
    klow0 = klowroot * ilowtangent
    klow1 = ilowtangent / klowroot
    ky = (1 + klow0) / (1 + klow1) * kx[kline] + kfirst[kline]
    kfirst[kline] = (klow0 - 1) / (1 + klow1) * kx[kline] - (klow1 - 1) / (1 + klow1) * ky
    khigh1 = khighroot * ihightangent
    kz = kgain * (khighroot * khighroot + khigh1) / (1 + khigh1) * ky + ksecond[kline]
    ksecond[kline] = kgain * (khigh1 - khighroot * khighroot) / (1 + khigh1) * ky - (khigh1 - 1) / (1 + khigh1) * kz
    kx[kline] = kz
    kline += 1
  od
  if kplace % 16 == 0 then
    kplane = 0
    while kplane < 4 do
      kangle = 0.25 * imotion * sin(2 * $M_PI * kphase[kplane])
      kcosine[kplane] = cos(2 * $M_PI * kangle)
      ksine[kplane] = sin(2 * $M_PI * kangle)
      kphase[kplane] = kphase[kplane] + istep[kplane] * 16 / sr
      kphase[kplane] = kphase[kplane] - floor(kphase[kplane])
      kangle = 0.25 * imotion * sin(2 * $M_PI * kphase[kplane])
      kcosinestep[kplane] = (cos(2 * $M_PI * kangle) - kcosine[kplane]) / 16
      ksinestep[kplane] = (sin(2 * $M_PI * kangle) - ksine[kplane]) / 16
      kplane += 1
    od
  endif
  kplane = 0
  while kplane < 4 do
    kup = kx[kplane]
    kdown = kx[kplane + 4]
    kx[kplane] = kcosine[kplane] * kup - ksine[kplane] * kdown
    kx[kplane + 4] = ksine[kplane] * kup + kcosine[kplane] * kdown
    kcosine[kplane] = kcosine[kplane] + kcosinestep[kplane]
    ksine[kplane] = ksine[kplane] + ksinestep[kplane]
    kplane += 1
  od
  ks0 = kx[0] + kx[4]
  ks1 = kx[1] + kx[5]
  ks2 = kx[2] + kx[6]
  ks3 = kx[3] + kx[7]
  kd0 = kx[0] - kx[4]
  kd1 = kx[1] - kx[5]
  kd2 = kx[2] - kx[6]
  kd3 = kx[3] - kx[7]
  kwrite = kplace * 8
  tabw ks0 + ks2 + ks1 + ks3 + kleftin, kwrite, ilines
  tabw ks0 - ks2 + ks1 - ks3 + krightin, kwrite + 1, ilines
  tabw ks0 + ks2 - ks1 - ks3 + kleftin, kwrite + 2, ilines
  tabw ks0 - ks2 - ks1 + ks3 + krightin, kwrite + 3, ilines
  tabw kd0 + kd2 + kd1 + kd3 + kleftin, kwrite + 4, ilines
  tabw kd0 - kd2 + kd1 - kd3 + krightin, kwrite + 5, ilines
  tabw kd0 + kd2 - kd1 - kd3 + kleftin, kwrite + 6, ilines
  tabw kd0 - kd2 - kd1 + kd3 + krightin, kwrite + 7, ilines
  kplace = (kplace + 1) % iframes
  xout a(koutleft), a(koutright)
endop

instr 1
  aleft $SIGNAL 1
  aright $SIGNAL 2
  kmid line $MIDSTART, p3, $MIDEND
  awetleft init 0
  awetright init 0
#ifndef EMPTY
  awetleft, awetright $OPCODE aleft, aright, kmid, $LOW, $HIGH, $SIZE, $MOTION
#end
#ifndef MUTED
  outch 1, $DRY * aleft + awetleft, min(2, nchnls), $DRY * aright + awetright
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
