<CsoundSynthesizer>
<CsInstruments>
; Every opcode of the pack, each in a channel of its own. All they hear are four channels of a recording, and
; sums and products of these, so that nothing else can differ between two Csounds.
sr = 48000
ksmps = 64
nchnls = 83
nchnls_i = 4
0dbfs = 1

givalues ftgen 1, 0, 16, -2, 0, 0.4, 0.7, 0.9, 1, 0.8, 0.5, 0.1, 0, -0.3, -0.8, -0.9, -1, -0.6, -0.5, -0.2
giothers ftgen 2, 0, 16, -2, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1, -1, -1, -1
giwave ftgen 3, 0, 1024, -2, 0
giresponse ftgen 4, 0, 256, -2, 1, 0.5, -0.25, 0.125, 0, 0, 0, 0.3, 0, 0, -0.2, 0.1, 0.05
gigen ftgen 5, 0, 64, "harmonics", 1, 0.5, -0.3, 0.2
gipins ftgen 6, 0, 8, -2, 1, 0, 0.5, 1, 0, -1, 0, 0
gikeys ftgen 7, 0, -384, -7, 0, 60, 0, 0, 1, 5, 1, 0, 0, 319, 0
giplaces ftgen 9, 0, -6, -2, 0.3, 0.4, 0.4, -0.5, 0.7, 2
gidrawbars ftgen 8, 0, -20, -2, 8, 8, 6, 4, 2, 3, 5, 7, 8, 8, 6, 4, 2, 3, 5, 7, 1, 2, 8, 8

instr 1
  a1, a2, a3, a4 inq
  k1 downsamp a1
  k2 downsamp a2
  k3 downsamp a3
  k4 downsamp a4
  asignals[] init 3
  asignals[0] = a1
  asignals[1] = a2
  asignals[2] = a3
  kcutoff = 2000 + 1500 * k2
  acutoff = 2000 + 1500 * a2
  kpart = 0.5 + 0.4 * k3
  apart = 0.5 + 0.4 * a3

  outch 1, a1
  aout MOOGLADDER a1, kcutoff, kpart
  outch 2, aout
  aout MOOGLADDER a1, acutoff, apart
  outch 3, aout
  aladders[] MOOGLADDER asignals, kcutoff, kpart
  outch 4, aladders[0] - aladders[2]
  aout ONEPOLE a1, kcutoff
  aother ONEPOLE a2, acutoff
  outch 5, aout - aother
  aout SATURATE 4 * a1
  ksaturated SATURATE 3 * k2
  isaturated SATURATE 0.7
  outch 6, aout + upsamp(ksaturated) + upsamp(isaturated)
  aout SATURATE a1, 2 + k2, 0.5, 0.1 * k3, 0.1 * k4
  asaturated[] SATURATE asignals
  outch 7, aout - asaturated[1]
  aout LPF18 a1, kcutoff, kpart, 1 + k4
  athree[] LPF18 asignals, acutoff, apart, 1 + a4
  outch 8, aout - athree[1]
  kout PORTK k1, 0.05 + 0.04 * k2
  outch 9, upsamp(kout)
  kout FTOM 500 + 400 * k1
  ivalues[] fillarray 100, 333, 5000
  inotes[] FTOM ivalues
  knotes[] init 2
  knotes[0] = 600 + 300 * k1
  knotes[1] = 6000 + 3000 * k2
  knumbers[] FTOM knotes
  outch 10, upsamp(kout + FTOM:i(333) + inotes[2] + knumbers[1])
  aout MIXCLIP a1, a2, a3, a4
  aother MIXCLIP asignals
  outch 11, aout - aother
  aout MORPH 0.2, 300 + 200 * k1, 0.5 + 0.5 * k2, 0.5 + 0.5 * k3, 1, 2, 1, 2
  outch 12, aout
  kweights[] fillarray 1, 0.5, 0.25, 0.125
  kweights[0] = 1 + k1
  kweights[2] = k2
  HARMONICS 3, kweights
  aout POSCIL 0.3, 200 + 100 * k3, 3
  outch 13, aout
  aout VDELAY a1, 5 + 4 * k2, 20
  aother VDELAY a2, 5 + 4 * a1, 20
  outch 14, aout - aother
  aout LOOPTIME 1, 4, 120 + 60 * k1
  outch 15, aout
  kbands[] BANDS a1, 4
  outch 16, upsamp(kbands[0]), 17, upsamp(kbands[1]), 18, upsamp(kbands[2]), 19, upsamp(kbands[3])
  Sname NOTENAME 60 + 40 * k1
  knumber NOTENUM Sname
  inumber NOTENUM "4C#"
  outch 20, upsamp(knumber + inumber)
  kvoices VOICES "players"
  outch 21, upsamp(kvoices)
  aout VCS3FILTER a1, kcutoff, 5 * kpart
  aother VCS3FILTER a1, acutoff, 5 * apart
  outch 22, aout, 23, aother
  aout, kout VCS3ENV (k1 > 0 ? 1 : 0), 0.02, 0.05, 0.1, 0.05
  outch 24, aout + upsamp(kout)
  aleft, aright FREEVERB a1, a2, kpart, 0.5 + 0.4 * k4
  outch 25, aleft - aright
  aleft, aright REVERBSC a1, a2, kpart, 3 * kcutoff
  outch 26, aleft - aright
  aout PHASER a1, kcutoff, 8, 0.9 * k3
  outch 27, aout
  aout POSCIL k1, kcutoff, 1
  aother POSCIL a1, acutoff, 1
  outch 28, aout, 29, aother
  kout POSCIL 1 + k1, 5 + k2, 5
  outch 30, upsamp(kout)
  aleft, aright CONVOLVE a1, 4, 64
  outch 31, aleft
  aout DIODELADDER a1, kcutoff, 8 * kpart, 1
  aother DIODELADDER a1, acutoff, 8 * apart
  outch 32, aout - aother
  aout BUTTERLP a1, kcutoff
  aother BUTTERLP a2, acutoff
  outch 33, aout - aother
  ahigh, alow, aband, areject STATEVAR a1, kcutoff, 1 + kpart
  ahighs[], alows[], abands[], arejects[] STATEVAR asignals, acutoff, 1 + apart
  outch 34, ahigh - aband, 35, alows[1] - arejects[2]
  kspectrum[] init 130
  kindex = 0
  while kindex < 130 do
    kspectrum[kindex] = table:k(kindex, 4) + kindex * k1
    kindex += 1
  od
  fsignal pvsfromarray kspectrum, 64, 128, 1
  fgated PVSGATE fsignal, 0.5 + 20 * k2, kpart
  kgated[] init 130
  kframe pvs2array kgated, fgated
  outch 36, upsamp(sumarray(kgated))
  aout BUTTERHP a1, kcutoff
  aother BUTTERHP a2, acutoff
  outch 37, aout - aother
  kwidth = 300 + 200 * k3
  awidth = 300 + 200 * a3
  aout BUTTERBP a1, kcutoff, kwidth
  aother BUTTERBP a2, acutoff, awidth
  outch 38, aout - aother
  aout BUTTERBR a1, kcutoff, kwidth
  aother BUTTERBR a2, acutoff, awidth
  outch 39, aout - aother
  aout RESON a1, kcutoff, kwidth, 1
  aother RESON a2, acutoff, awidth, 2
  outch 40, aout - aother
  aout DCBLOCK a1
  outch 41, aout
  aout CLIP a1, 0, 0.5
  aother CLIP a2, 1, 0.5
  athird CLIP a3, 2, 0.5
  outch 42, aout - aother + athird
  aout OSCILI k1, kcutoff, 1
  aother OSCILI a1, acutoff, 1
  outch 43, aout - aother
  aout POSCILI k1, kcutoff, 1
  aother POSCILI a1, acutoff, 1
  outch 44, aout - aother
  aout VCO2 0.5 + k1, 600 + 500 * k2
  aother VCO2 k2, 600 + 500 * k1, 2, 0.5 + 0.3 * k3
  outch 45, aout - aother
  fanalysed PVSANAL a1, 128, 64, 128, 1
  kanalysed[] init 130
  kframe pvs2array kanalysed, fanalysed
  outch 46, upsamp(sumarray(kanalysed))
  aout PVSYNTH fanalysed
  outch 47, aout
  aout, aother VCS3OSC 600 + 500 * k1, kpart
  athird, afourth VCS3OSC 600 + 500 * a2, kpart, 2
  outch 48, aout - aother + athird - afourth
  aout VCS3RING a1, a2, 0.1 * kpart
  outch 49, aout
  aout VCS3NOISE kpart
  outch 50, aout
  aout SPRING a1, 2 * kpart
  outch 51, aout
  acolumns[] PINS asignals, 6, 2, 0.05, 1
  outch 52, acolumns[0] - acolumns[1]
  aleft, aright ROTARY a1, (k1 > 0 ? 1 : 2), kpart, 1 + k2
  outch 53, aleft - aright
  aout SCANNER a1, 6, 6 + k2
  outch 54, aout
  aupper, alower, apedals, apercussion TONEWHEELS 7, 8, 3, 0, 1, kpart, 1 + k2
  outch 55, aupper - apercussion
  aout LADDER a1, kcutoff, 1.1 * kpart, 4, 2
  aother LADDER a2, acutoff, apart, 1, 1, 1
  outch 56, aout - aother
  aleft, aright HALL a1, a2, 1 + kpart, 2, 0.5
  outch 57, aleft - aright
  aout SATURATE 5 * a1, 1
  aother SATURATE 5 * a2, 2
  athird CLIP 2 * a3, 0, 0.5, 0.5, 1
  afourth CLIP 2 * a4, 2, 0.5, 0.5, 2
  outch 58, aout - aother + athird - afourth
  aout MOOGLADDER a1, kcutoff, kpart, 0, 1
  aother MOOGLADDER a2, acutoff, apart, 0, 2
  outch 59, aout - aother
  ahigh, alow, aband, areject STATEVAR a1, acutoff, 1 + kpart, 3, 0, 1
  aout, aother VCS3OSC 600 + 500 * k1, kpart, 2, 1
  outch 60, ahigh - aband + aout - aother
  aout LPF18 a1, kcutoff, kpart, 1 + k4, 0, 1
  aother LPF18 2 * a2, acutoff, apart, 0.2, 0, 2
  athird DIODELADDER 3 * a3, kcutoff, 8 * kpart, 1, 2, 0, 2
  afourth DIODELADDER a4, acutoff, 8 * apart, 2, 3, 0, 1
  outch 61, aout - aother + athird - afourth
  aout VCS3FILTER 2 * a1, kcutoff, 2 * kpart, 1
  aother VCS3FILTER 2 * a2, acutoff, 2 * apart, 2
  outch 62, aout - aother
  aout, aother PLATE 9, 9, 2, 0.7, 20, 2, 0.001, a1, a2
  outch 63, aout - aother
  aout COMPRESSOR a1, -20 - 10 * kpart, 4, 0.001, 0.01, 6, 0.001, 1
  aleft, aright COMPRESSOR a2, a3, -20, 0, 0, 0.01 * kpart
  outch 64, aout + aleft - aright
  aout TABLE a1, 1, 1, 0.5
  aother TABLEI a2, 1, 1, 0.5, 1
  athird TABLE3 a3, 2, 1, 0.5
  kout TABLEI k1, 1, 1, 0.5
  outch 65, aout - aother + athird + upsamp(kout + TABLE3:i(0.3, 1, 1))
  aleft, aright PAN2 a1, kpart
  athird, afourth PAN2 a2, apart, 1
  outch 66, aleft - aright + athird - afourth
  aout RESONZ a1, kcutoff, kwidth, 1
  aother RESONZ a2, acutoff, awidth, 2
  outch 67, aout - aother
  aout PAREQ a1, kcutoff, 1 + kpart, 1, 1
  outch 68, aout
  aout RBJEQ a1, kcutoff, 1 + kpart, 2, 1, 8
  outch 69, aout
  aout EQFIL a1, kcutoff, kwidth, 2
  aother EQFIL a2, acutoff, awidth, 0.5
  outch 70, aout - aother
  aout VDELAYI a1, 5 + 4 * k2, 20
  aother VDELAYI a2, 5 + 4 * a1, 20
  athird DELAY a3, 0.003
  outch 71, aout - aother + athird
  ktimes[] fillarray 0.003, 0.0047, 0.011
  kgains[] fillarray 0.5, -0.3, 0.4
  aout TAPS a1, ktimes, kgains, 0.5, 0.1, 3000, 1
  ataps[] TAPS a2, asignals, kgains, 0.5, 0.1
  outch 72, aout - ataps[1]
  aout COMB a1, 0.3, 0.005
  aother ALPASS a2, 0.3, 0.0071
  outch 73, aout - aother
  aout NREVERB a1, 1.5, kpart
  aother REVERB2 a2, 2, 0.3
  outch 74, aout - aother
  aout PHASER2 a1, kcutoff, 0.5, 6, 1, 1.2, 0.5 * kpart
  outch 75, aout
  aout EXCITER a1, 3000, 20000, 4 * kpart, 5
  outch 76, aout
  aout SYNCGRAIN kpart, 200 + 100 * k1, 1 + kpart, 0.02, 1, 3, 1, 8
  kout RSPLINE 0.5, 0.5, 2, 4
  outch 77, aout + upsamp(kout)
  aout LINSEG 0, 0.1, 1, 0, 0.5, 0.2, -0.3, 0.2, 0
  aother EXPSEG 0.1, 0.1, 1, 0.2, 0.3, 0.2, 0.01
  athird TRANSEG 0, 0.1, 3, 1, 0.2, 0, 0.3, 0.2, -4, 0
  outch 78, aout - aother + athird
  aout LINSEGR 0, 0.1, 1, 0.05, 0
  aother EXPSEGR 0.1, 0.1, 1, 0.05, 0.01
  athird LINE 0, 0.4, 1
  afourth EXPON 0.1, 0.4, 1
  outch 79, aout - aother + athird - afourth
  aout BALANCE a1, a2
  aother BALANCE2 a2, a3, 50
  athird GAIN a3, kpart
  kout RMS a4
  outch 80, aout - aother + athird + upsamp(kout)
  aout DCBLOCK2 a1
  aother MOOGVCF2 a2, kcutoff, kpart
  athird MOOGVCF2 a3, acutoff, apart, 0, 0, 1
  outch 81, aout - aother + athird
  aout EQ a1, kcutoff, 6, 1 + kpart
  aother EQ a2, acutoff, 6, 2, 0, 2
  kfrequencies[] fillarray 300, 4000
  kbandgains[] fillarray 6, -6
  kqs[] fillarray 0.7, 2
  kkinds[] fillarray 1, 2
  athird EQ a3, kfrequencies, kbandgains, kqs, kkinds, 2
  outch 82, aout - aother + athird
  aend DELAYR 0.05
  aout DELTAP 0.01 + 0.005 * kpart
  aother DELTAPN 700 + 100 * k1
  athird DELTAPI 0.02 + 0.005 * a2
  afourth DELTAP3 a3 * 0.01 + 0.03
  DELAYW a1 + 0.3 * afourth
  outch 83, aend + aout - aother + athird - afourth
endin
</CsInstruments>
<CsScore>
i1 0 0.6
i1 0.2 0.3
</CsScore>
</CsoundSynthesizer>
