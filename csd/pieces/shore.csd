<CsoundSynthesizer>
<CsInstruments>
; Shore: an ambient piece of physical models. Bowed and plucked strings, flutes, bars, a bank of
; modes, water, and sympathetic strings, in a hall that is a network of delays.
;   csound csd/pieces/shore.csd -odac

sr = 44100
ksmps = 20
nchnls = 2
0dbfs = 1

seed 17

gisine ftgen 1, 0, 4096, 10, 1

; The modes of the gong: ratio, quality, loudness.
gimodes[][] init 7, 3
gimodes fillarray 1, 900, 1, 1.49, 800, 0.6, 2.07, 1100, 0.7, 2.74, 700, 0.4, 3.39, 900, 0.35, \
                  4.52, 600, 0.25, 5.93, 500, 0.15

gahall[] init 2                 ; what goes into the hall
maxalloc "Gong", 2
maxalloc "Drop", 6
maxalloc "Sympathy", 1

; To the hall, and dry, at a place.
opcode Send, 0, aki
  ain, kplace, ilevel xin
  aleft, aright pan2 ain * ilevel, kplace
  gahall[0] = gahall[0] + aleft
  gahall[1] = gahall[1] + aright
endop

; --------------------------------------------------------------- the players

; A bowed string that is stopped from outside, by turnoff2. p4 dBFS, p5 pitch, p6 place
instr Bow
  icps = cpspch(p5)
  xtratim 2.5
  kreleased release
  kpressure linseg 1, 3, 2.8, 3, 2
  kswell portk (kreleased == 1 ? 0 : 1), (kreleased == 1 ? 0.5 : 0.9)
  kratio = 0.127 + 0.02 * lfo:k(1, 0.13)
  abow wgbow 0.4, icps, kpressure, kratio, 4.7, 0.004, gisine, 40
  abow butterlp dcblock2(abow), 3500
  Send abow * a(kswell) * ampdbfs(p4), p6, 1
endin

; Who stops the bows.
instr Still
  turnoff2 "Bow", p4, 1
  turnoff
endin

; A breath on a flute. p4 dBFS, p5 pitch, p6 place
instr Flute
  icps = cpspch(p5)
  ijet = 0.28 + rnd(0.04)
  kbend linseg icps * 0.985, 0.25, icps, p3, icps
  aflute wgflute 0.6, kbend, ijet, 0.08, 0.12, 0.12, 5.1, 0.03, gisine, 100
  aflute butterlp dcblock2(aflute), 4200
  aflute *= ampdbfs(p4) * linsegr:a(0, 0.15, 1, p3 - 0.25, 0.8, 0.2, 0)
  kplace = limit(p6 + lfo:k(0.1, 0.2), 0, 1)
  Send aflute, kplace, 1
endin

; A harp of plucked waveguides. p4 dBFS, p5 pitch, p6 place
instr Harp
  if p5 < 8 then
    aharp wgpluck2 0.7, 1, cpspch(p5), 0.6, 0.4
  else
    aexcite init 0
    aharp repluck 0.3, 1, cpspch(p5), 0.4, 0.5, aexcite
  endif
  aharp dcblock2 aharp
  aharp *= ampdbfs(p4) * linseg:a(1, p3 - 0.1, 1, 0.1, 0)
  Send aharp, p6, 1
endin

; A bar of wood or metal. p4 dBFS, p5 stiffness, p6 place
instr Bar
  abar barmodel 1, 1, p5, 0.003, 0.23, p3 * 0.6, 0.25 + rnd(0.2), 500, 0.05
  abar butterlp dcblock2(abar), 6000
  abar *= ampdbfs(p4) * linseg:a(1, p3 - 0.05, 1, 0.05, 0)
  Send abar, p6, 1
endin

; A gong: what strikes it is an instrument of its own, called as an opcode.
instr Mallet, 50
  astroke noise p4, 0.6
  astroke *= linseg:a(0, 0.002, 1, p5, 0, 1, 0)
  out astroke, astroke
endin

instr Gong
  astroke, aunused subinstr "Mallet", 0.02, 0.012
  amode0 mode astroke, p5 * gimodes[0][0], gimodes[0][1]
  amode1 mode astroke, p5 * gimodes[1][0], gimodes[1][1]
  amode2 mode astroke, p5 * gimodes[2][0], gimodes[2][1]
  amode3 mode astroke, p5 * gimodes[3][0], gimodes[3][1]
  amode4 mode astroke, p5 * gimodes[4][0], gimodes[4][1]
  amode5 mode astroke, p5 * gimodes[5][0], gimodes[5][1]
  amode6 mode astroke, p5 * gimodes[6][0], gimodes[6][1]
  agong = amode0 * gimodes[0][2] + amode1 * gimodes[1][2] + amode2 * gimodes[2][2] + \
          amode3 * gimodes[3][2] + amode4 * gimodes[4][2] + /* the upper ones */ \
          amode5 * gimodes[5][2] + amode6 * gimodes[6][2]
  abeating = 1 + 0.2 * poscil:a(1, 0.9, gisine)
  agong *= abeating * ampdbfs(p4) * linsegr:a(1, p3, 1, 1.5, 0)
  Send agong, 0.5, 1
endin

; Water: waves of noise, and drops that make more drops by event_i.
instr Waves
  kwave lfo 0.5, 1 / 7.3
  kwave = 0.5 + kwave
  anoise pinker
  awave butterlp anoise, 300 + 2600 * kwave * kwave
  awave *= a(kwave * kwave) * ampdbfs(p4) * linseg:a(0, 4, 1, p3 - 9, 1, 5, 0)
  Send awave, 0.5 + 0.35 * lfo:k(1, 0.061), 0.7
endin

instr Drop
  icps = 900 * semitone(p5)
  kcps expseg icps, 0.02, icps * 1.5, p3, icps * 1.1
  adrop poscil ampdbfs(p4) * expon:a(1, p3, 0.001), kcps
  adrop *= linseg:a(0, 0.003, 1, p3 - 0.013, 1, 0.01, 0)
  Send adrop, 0.5 + 0.4 * sin(p5 * 7), 1
  if p6 > 0 then
    inext random 0.11, 0.5
    iheight random -5, 9
    event_i "i", "Drop", inext, 0.14, p4 - 1.5, iheight, p6 - 1
  endif
endin

; --------------------------------------------------------------- the hall

; Sympathetic strings: the hall's input rings in streson, wguide1 and wguide2.
instr Sympathy
  ain = (gahall[0] + gahall[1]) * 0.5
  afirst streson ain, cpspch(7.02), 0.96
  asecond streson ain, cpspch(7.09), 0.95
  athird wguide1 ain, cpspch(8.04), 4000, 0.94
  afourth wguide2 ain, cpspch(6.02), cpspch(8.06), 3000, 3000, 0.24, 0.24
  asum dcblock2 afirst + asecond + 0.5 * athird + afourth
  asum limit asum, -2, 2
  asum butterhp asum, 90
  gahall[0] = gahall[0] + 0.05 * asum
  gahall[1] = gahall[1] + delay:a(0.05 * asum, 0.017)
endin

; Eight delays that feed each other through a reflection: out -> 2/8 of the sum - out.
instr Hall
  idecay = 0.93
  ims[] fillarray 31.7, 37.9, 43.1, 53.3, 61.7, 71.3, 83.9, 97.1
  aback[] init 8
  asum = 0
  kline = 0
  until kline == 8 do
    asum += aback[kline]
    kline += 1
  od
  asum *= 0.25
  kdrift lfo 0.3, 0.17
  aback[0] butterlp vdelay3:a(gahall[0] + asum - aback[0], a(ims[0] + kdrift), 150) * idecay, 6000
  aback[1] butterlp vdelay3:a(gahall[1] + asum - aback[1], a(ims[1] - kdrift), 150) * idecay, 5600
  aback[2] butterlp vdelay3:a(gahall[0] + asum - aback[2], a(ims[2] + kdrift), 150) * idecay, 5200
  aback[3] butterlp vdelay3:a(gahall[1] + asum - aback[3], a(ims[3] - kdrift), 150) * idecay, 4900
  aback[4] butterlp vdelay3:a(gahall[0] + asum - aback[4], a(ims[4] + kdrift), 150) * idecay, 4500
  aback[5] butterlp vdelay3:a(gahall[1] + asum - aback[5], a(ims[5] - kdrift), 150) * idecay, 4100
  aback[6] butterlp vdelay3:a(gahall[0] + asum - aback[6], a(ims[6] + kdrift), 150) * idecay, 3800
  aback[7] butterlp vdelay3:a(gahall[1] + asum - aback[7], a(ims[7] - kdrift), 150) * idecay, 3500
  awetleft = (aback[0] + aback[2] - aback[4] + aback[6]) * 0.35
  awetright = (aback[1] + aback[3] - aback[5] + aback[7]) * 0.35
  afarleft, afarright reverbsc gahall[0] + awetleft * 0.2, gahall[1] + awetright * 0.2, 0.92, 7000
  kopen linseg 0, 0.1, 1.8, p3 - 3.1, 1.8, 3, 0
  aleft dcblock2 gahall[0] * 0.6 + awetleft * 0.5 + afarleft * 0.25
  aright dcblock2 gahall[1] * 0.6 + awetright * 0.5 + afarright * 0.25
  outs aleft * kopen, aright * kopen
  gahall[0] = a(0)
  gahall[1] = a(0)
endin
</CsInstruments>
<CsScore>
i "Waves"    0    38  -11
i "Sympathy" 0    40
i "Hall"     0    40

; held until Still, which lets them ring out
i "Bow"      1    -1  -8  6.02  0.4
i "Bow"      4    -1  -11  6.09  0.6
i "Still"    13   0.1 0
i "Bow"      15   -1  -8  6.00  0.6
i "Bow"      15.5 -1  -11  6.07  0.3
i "Still"    24   0.1 0
i "Bow"      26   -1  -7  5.09  0.5
i "Bow"      26.5 -1  -11  6.04  0.4
i "Still"    34   0.1 0

i "Gong"     0.5  9   -2  73
i "Gong"     14.5 9   -2  65
i "Gong"     25.5 9   -1   55

i "Flute"    5    2.4 -19  8.09  0.7
i "Flute"    7.6  1.1 -20  9.00  0.6
i "Flute"    8.8  3   -19  8.07  0.5
i "Flute"    17   1.2 -19  8.04  0.3
i "Flute"    18.4 1.2 -19  8.07  0.4
i "Flute"    19.8 3.2 -18  9.02  0.5
i "Flute"    28   4   -19  8.11  0.6

i "Harp"     3    4   -20  7.02  0.2
i "Harp"     3.2  4   -21  7.09  0.3
i "Harp"     3.4  4   -21  8.04  0.4
i "Harp"     3.6  4   -22  8.06  0.5
i "Harp"     11   4   -20  7.04  0.8
i "Harp"     11.2 4   -21  7.11  0.7
i "Harp"     11.4 4   -21  8.07  0.6
i "Harp"     21   5   -20  6.07  0.3
i "Harp"     21.3 5   -21  7.02  0.4
i "Harp"     21.6 5   -21  7.11  0.6
i "Harp"     21.9 5   -22  8.06  0.7
i "Harp"     31   5   -20  6.09  0.5
i "Harp"     31.2 5   -21  7.04  0.6
i "Harp"     31.4 5   -21  8.01  0.4

i "Bar"      10   3   10  3     0.2
i "Bar"      10.6 3   8  5     0.8
i "Bar"      23   3   10  4     0.3
i "Bar"      30   3   9  6     0.7

i "Drop"     6    0.14 -15 0   12
i "Drop"     18.5 0.14 -15 4   14
i "Drop"     27   0.14 -16 -3  10
e
</CsScore>
</CsoundSynthesizer>
