<CsoundSynthesizer>
<CsInstruments>
; A chord of an organ through a rotary speaker that goes from slow to fast and back.
;   csound --opcode-lib=./build/libopcodes.so csd/ROTARY.csd -odac
; Every macro can be set from outside: --omacro:OPCODE=RotaryUDO computes the same in Csound's own language.

sr = 48000
ksmps = 64
nchnls = 2
0dbfs = 1

#ifndef OPCODE
#define OPCODE #ROTARY#
#end
; The signal: Organ, Noise, Impulse, Burst or Input (the sound card, or a file the harness feeds).
#ifndef SIGNAL
#define SIGNAL #Organ#
#end
#ifndef LEVEL
#define LEVEL #0.25#
#end
#ifndef DURATION
#define DURATION #12#
#end
; 0 stop, 1 slow, 2 fast; Change goes there and back.
#ifndef SPEED
#define SPEED #Change(p3)#
#end
#ifndef DRIVE
#define DRIVE #0.4#
#end

gibars ftgen 1, 0, 16384, 10, 0.6, 1, 0.8, 0.5, 0, 0.3, 0, 0.2

opcode Organ, a, i
  ichannel xin
  alow poscil $LEVEL * 0.3, 130.8 * ichannel, gibars
  amiddle poscil $LEVEL * 0.3, 164.8 * ichannel, gibars
  ahigh poscil $LEVEL * 0.3, 392 * ichannel, gibars
  xout alow + amiddle + ahigh
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

opcode Change, k, i
  iduration xin
  kplace line 0, iduration, 3
  xout int(kplace) == 1 ? 2 : 1
endop

; The same speaker, one sample at a time. Three allpasses in a row:
opcode Allpasses, k, kiii
  kin, i1, i2, i3 xin
  kx1 init 0
  kx2 init 0
  kx3 init 0
  kx4 init 0
  ky1 = kx1 + i1 * (kin - kx2)
  ky2 = kx2 + i2 * (ky1 - kx3)
  ky3 = kx3 + i3 * (ky2 - kx4)
  kx1 = kin
  kx2 = ky1
  kx3 = ky2
  kx4 = ky3
  xout ky3
endop

; Two of them:
opcode TwoAllpasses, k, kii
  kin, i1, i2 xin
  kx1 init 0
  kx2 init 0
  kx3 init 0
  ky1 = kx1 + i1 * (kin - kx2)
  ky2 = kx2 + i2 * (ky1 - kx3)
  kx1 = kin
  kx2 = ky1
  kx3 = ky2
  xout ky2
endop

#define STEEP0 #0.060339983595214655, 0.41277758528830943, 0.7728111488988045#
#define STEEP1 #0.21610379484573122, 0.6045212896668933, 0.9239173842993144#
#define WIDE0 #0.04494128238611239, 0.4053376861137386#
#define WIDE1 #0.17882472325997537, 0.7535321475706449#

opcode Amplifier, k, kk
  kin, kdrive xin
  ibias = tanh(0.2)
  kgain = 0.25 * 64 ^ kdrive
  klevel = 64 ^ (0.4 * kdrive) / (kgain * (1 - ibias * ibias))
  kup0 Allpasses kgain * kin, $STEEP0
  kup1 Allpasses kgain * kin, $STEEP1
  khalf = 0
  kfirst init 0
  ksecond init 0
  while khalf < 2 do
    kup = khalf == 0 ? kup0 : kup1
    kone TwoAllpasses kup, $WIDE0
    ktwo TwoAllpasses kup, $WIDE1
    kone = tanh(kone + 0.2) - ibias
    ktwo = tanh(ktwo + 0.2) - ibias
    kdown0 TwoAllpasses ktwo, $WIDE0
    kdown1 TwoAllpasses kone, $WIDE1
    if khalf == 0 then
      kfirst = 0.5 * (kdown0 + kdown1)
    else
      ksecond = 0.5 * (kdown0 + kdown1)
    endif
    khalf += 1
  od
  kdown0 Allpasses ksecond, $STEEP0
  kdown1 Allpasses kfirst, $STEEP1
  ksample = klevel * 0.5 * (kdown0 + kdown1)
  kmean init 0
  kmean += (1 - exp(-2 * $M_PI * 20 / sr)) * (ksample - kmean)
  xout ksample - kmean
endop

; The way of a rotor to an ear, and the gains of its low and its high sound.
opcode Way, kkk, kiiiii
  kturns, idistance, iradius, ilow, ihigh, ilevel xin
  kcosine = cos(2 * $M_PI * kturns)
  kway = sqrt(idistance * idistance + iradius * iradius - 2 * idistance * iradius * kcosine)
  kfacing = 0.5 + 0.5 * (idistance * kcosine - iradius) / kway
  kgain = ilevel * idistance / kway
  xout kway * sr / 340 + 1, kgain * (ilow + (1 - ilow) * kfacing), kgain * (ihigh + (1 - ihigh) * kfacing)
endop

opcode RotorUDO, kk, kkiiiiiiiii
  kin, ksetting, iradius, ilow, ihigh, isplit, islow, ifast, irise, ifall, idirection xin
  isize = 8192
  iring0 ftgentmp 0, 0, -isize, -2, 0
  iring1 ftgentmp 0, 0, -isize, -2, 0
  kdelay[] init 4
  klow[] init 4
  khigh[] init 4
  kdelaystep[] init 4
  klowstep[] init 4
  khighstep[] init 4
  kplace init 0
  kturns init 0
  khertz init 0
  kwrite init 0
  klowpass init 0
  kbegin init 1
  if kplace == 0 then
    ktarget = ksetting == 0 ? 0 : (ksetting == 1 ? islow : ifast)
    if kbegin == 1 then
      khertz = ktarget
    endif
    kpass = kbegin == 1 ? 0 : 1
    while kpass < 2 do
      if kpass == 1 then
        kconstant = ktarget > khertz ? irise : ifall
        krest = exp(-16 / sr / kconstant)
        kmoved = ktarget * 16 / sr + (khertz - ktarget) * kconstant * (1 - krest)
        khertz = ktarget + (khertz - ktarget) * krest
        kturns += idirection * kmoved
        kturns -= floor(kturns)
      endif
      kpath = 0
      while kpath < 4 do
        kside = (kpath % 2 == 0 ? -0.125 : 0.125)
        if kpath < 2 then
          kd, kl, kh Way kturns - kside, 0.42, iradius, ilow, ihigh, 1
        else
          kd, kl, kh Way kturns - kside - 0.5, 0.92, iradius, ilow, ihigh, 0.35 * 0.42 / 0.92
        endif
        if kpass == 0 then
          kdelay[kpath] = kd
          klow[kpath] = kl
          khigh[kpath] = kh
        else
          kdelaystep[kpath] = (kd - kdelay[kpath]) / 16
          klowstep[kpath] = (kl - klow[kpath]) / 16
          khighstep[kpath] = (kh - khigh[kpath]) / 16
        endif
        kpath += 1
      od
      kpass += 1
    od
    kbegin = 0
  endif
  kplace = (kplace + 1) % 16
  klowpass += (1 - exp(-2 * $M_PI * isplit / sr)) * (kin - klowpass)
  kwrite = (kwrite + 1) % isize
  tabw klowpass, kwrite, iring0
  tabw kin - klowpass, kwrite, iring1
  ksum[] init 2
  ksum[0] = 0
  ksum[1] = 0
  kpath = 0
  while kpath < 4 do
    kwhole = int(kdelay[kpath])
    kt = kdelay[kpath] - kwhole
    kw0 = -kt * (kt - 1) * (kt - 2) / 6
    kw1 = (kt + 1) * (kt - 1) * (kt - 2) / 2
    kw2 = -(kt + 1) * kt * (kt - 2) / 2
    kw3 = (kt + 1) * kt * (kt - 1) / 6
    k0 = (kwrite - kwhole + 1 + isize) % isize
    k1 = (kwrite - kwhole + isize) % isize
    k2 = (kwrite - kwhole - 1 + isize) % isize
    k3 = (kwrite - kwhole - 2 + isize) % isize
    klows = kw0 * tab:k(k0, iring0) + kw1 * tab:k(k1, iring0) + kw2 * tab:k(k2, iring0) + kw3 * tab:k(k3, iring0)
    khighs = kw0 * tab:k(k0, iring1) + kw1 * tab:k(k1, iring1) + kw2 * tab:k(k2, iring1) + kw3 * tab:k(k3, iring1)
    ksum[kpath % 2] = ksum[kpath % 2] + klow[kpath] * klows + khigh[kpath] * khighs
    kdelay[kpath] = kdelay[kpath] + kdelaystep[kpath]
    klow[kpath] = klow[kpath] + klowstep[kpath]
    khigh[kpath] = khigh[kpath] + khighstep[kpath]
    kpath += 1
  od
  xout ksum[0], ksum[1]
endop

opcode RotaryUDO, aa, akk
  asignal, ksetting, kdrive xin
  setksmps 1
  kin = asignal[0]
  ksample Amplifier kin, kdrive
  ig = tan($M_PI * 800 / sr)
  ks1 init 0
  ks2 init 0
  khigh = (ksample - (2 + ig) * ks1 - ks2) / ((1 + ig) * (1 + ig))
  kband = ig * khigh + ks1
  klow = ig * kband + ks2
  ks1 = ig * khigh + kband
  ks2 = ig * kband + klow
  khornleft, khornright RotorUDO -khigh, ksetting, 0.192, 0.45, 0.12, 2500, 0.672, 7.056, 0.161, 0.321, 1
  kdrumleft, kdrumright RotorUDO klow, ksetting, 0.22, 0.9, 0.4, 250, 0.667, 5.955, 4.127, 1.371, -1
  aleft = khornleft + kdrumleft
  aright = khornright + kdrumright
  xout aleft, aright
endop

instr 1
  asignal $SIGNAL 1
  kspeed = $SPEED
  aleft init 0
  aright init 0
#ifndef EMPTY
  aleft, aright $OPCODE asignal, kspeed, $DRIVE
#end
#ifndef MUTED
  outch 1, aleft, min(2, nchnls), aright
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
