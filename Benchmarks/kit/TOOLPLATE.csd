<CsoundSynthesizer>
<CsInstruments>
; Dattorro's plate reverb: the toolbox's parts beside a user-defined opcode. ./opcodekit bench TOOLPLATE

sr = 48000
ksmps = 64
nchnls = 2
0dbfs = 1

#ifndef OPCODE
#define OPCODE #TOOLPLATE#
#end
#ifndef DURATION
#define DURATION #1#
#end

opcode PlateUDO, aa, akk
  setksmps 1
  ain, kdecay, kdamping xin
  iscale = sr / 29761
  ; Lengths: four allpasses at the input, then moving, first, still, second of each half.
  iplain[] fillarray 142, 107, 379, 277, 672, 4453, 1800, 3720, 908, 4217, 2656, 3163
  ilength[] init 12
  iwidth[] init 12
  istart[] init 12
  itotal = 0
  ii = 0
  while ii < 12 do
    ilength[ii] = int(iplain[ii] * iscale + 0.5)
    istart[ii] = itotal
    iwidth[ii] = ilength[ii] + int(8 * iscale) + 8
    itotal += iwidth[ii]
    ii += 1
  od
  itaps[] fillarray 266, 2974, 1913, 1996, 1990, 187, 1066, 353, 3627, 1228, 2673, 2111, 335, 121
  itap[] init 14
  ii = 0
  while ii < 14 do
    itap[ii] = int(itaps[ii] * iscale + 0.5)
    ii += 1
  od
  kring[] init itotal
  kplace[] init 12
  kgain[] fillarray -0.75, -0.75, -0.625, -0.625
  kcosine init 1
  ksine init 0
  icosine = cos(2 * $M_PI / sr)
  isine = sin(2 * $M_PI / sr)
  iexcursion = 8 * iscale
  klow0 init 0
  klow1 init 0
  kdec limit kdecay, 0, 0.99
  kdull limit kdamping, 0, 1
  kx = k(ain)
  ; Every ring moves on to the place of this frame's sample.
  ki = 0
  while ki < 12 do
    kplace[ki] = kplace[ki] + 1
    if kplace[ki] == iwidth[ki] then
      kplace[ki] = 0
    endif
    ki += 1
  od
  ki = 0
  while ki < 4 do
    kat = kplace[ki] - ilength[ki]
    if kat < 0 then
      kat += iwidth[ki]
    endif
    kdelayed = kring[istart[ki] + kat]
    kinner = kx + kgain[ki] * kdelayed
    kring[istart[ki] + kplace[ki]] = kinner
    kx = kdelayed - kgain[ki] * kinner
    ki += 1
  od
  ; The tails of both halves, before this frame.
  kat = kplace[7] - ilength[7]
  if kat < 0 then
    kat += iwidth[7]
  endif
  ktail0 = kring[istart[7] + kat]
  kat = kplace[11] - ilength[11]
  if kat < 0 then
    kat += iwidth[11]
  endif
  ktail1 = kring[istart[11] + kat]
  kback = kdec * ktail1
  kforth = kdec * ktail0
  khalf = 0
  while khalf < 2 do
    khome = 4 + 4 * khalf
    kin = kx + (khalf == 0 ? kback : kforth)
    kdelay = (ilength[khome] - 1) + iexcursion * (khalf == 0 ? kcosine : ksine)
    kwhole = int(kdelay)
    ; One sample less has been written than in the allpass's own frame.
    kat = kplace[khome] - 1 - kwhole
    if kat < 0 then
      kat += iwidth[khome]
    endif
    kold = kat - 1
    if kold < 0 then
      kold += iwidth[khome]
    endif
    knew = kring[istart[khome] + kat]
    kdelayed = knew + (kring[istart[khome] + kold] - knew) * (kdelay - kwhole)
    kinner = kin + 0.7 * kdelayed
    kring[istart[khome] + kplace[khome]] = kinner
    kspread = kdelayed - 0.7 * kinner
    kat = kplace[khome + 1] - ilength[khome + 1]
    if kat < 0 then
      kat += iwidth[khome + 1]
    endif
    kend = kring[istart[khome + 1] + kat]
    klow = (khalf == 0 ? klow0 : klow1)
    klow = klow + (1 - kdull) * (kend - klow)
    if khalf == 0 then
      klow0 = klow
    else
      klow1 = klow
    endif
    kring[istart[khome + 1] + kplace[khome + 1]] = kspread
    kat = kplace[khome + 2] - ilength[khome + 2]
    if kat < 0 then
      kat += iwidth[khome + 2]
    endif
    kdelayed = kring[istart[khome + 2] + kat]
    kinner = klow * kdec - 0.5 * kdelayed
    kring[istart[khome + 2] + kplace[khome + 2]] = kinner
    kring[istart[khome + 3] + kplace[khome + 3]] = kdelayed + 0.5 * kinner
    khalf += 1
  od
  kturned = kcosine * icosine - ksine * isine
  ksine = ksine * icosine + kcosine * isine
  kcosine = kturned
  ; The taps: four of the half across, three of its own.
  krings[] fillarray 9, 9, 10, 11, 5, 6, 7, 5, 5, 6, 7, 9, 10, 11
  ktap[] init 14
  ki = 0
  while ki < 14 do
    khome = krings[ki]
    kat = kplace[khome] - itap[ki]
    if kat < 0 then
      kat += iwidth[khome]
    endif
    ktap[ki] = kring[istart[khome] + kat]
    ki += 1
  od
  aleft = a(0.6 * ((((ktap[0] + ktap[1]) - ktap[2]) + ktap[3]) - ((ktap[4] + ktap[5]) + ktap[6])))
  aright = a(0.6 * ((((ktap[7] + ktap[8]) - ktap[9]) + ktap[10]) - ((ktap[11] + ktap[12]) + ktap[13])))
  xout aleft, aright
endop

instr 1
  ; Noise that stops after a twentieth of a second, so that the rest is the reverberation alone.
  aenvelope linseg 1, 0.05, 1, 0.001, 0
  asound = aenvelope * rand:a(0.5, 0.5, 1)
  aleft init 0
  aright init 0
#ifndef EMPTY
  aleft, aright $OPCODE asound, 0.7, 0.2
#end
#ifndef MUTED
  outs aleft, aright
#end
endin

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
