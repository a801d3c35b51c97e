<CsoundSynthesizer>
<CsInstruments>
; Spectra: a choir that sings vowels turns into bells and back, blurred, frozen, stretched, masked
; and handed to sines. All of it passes through phase vocoder streams.
;   csound csd/pieces/spectra.csd -odac

sr = 48000
ksmps = 64
nchnls = 2
0dbfs = 1

seed 440

#define FFT #2048#
#define BINS #1025#
#define HOP #512#
#define ANALYSE(STREAM'SIGNAL) #$STREAM pvsanal $SIGNAL, $FFT, $HOP, $FFT, 1#
#define TO(BUS'SIGNAL) #chnmix $SIGNAL, "$BUS"#

gisine ftgen 0, 0, 16384, 10, 1
gisigmoid ftgen 0, 0, 1024, 19, 0.5, 0.5, 270, 0.5

; What the mask keeps of each bin: bands between hollows.
gimask ftgen 0, 0, -$BINS, 2, 0
ibin = 0
while ibin < $BINS do
  tablew 0.5 + 0.5 * cos(ibin / 3.7) * cos(ibin / 17), ibin, gimask
  ibin += 1
od

gispectrum ftgen 0, 0, -$BINS, 2, 0
gireversed ftgen 0, 0, -$BINS, 2, 0

; Formants of a, e, i, o, u for an alto; of each vowel three: frequency in Hz, level in dB,
; bandwidth in Hz.
givowels ftgen 0, 0, -45, -2, 800, 0, 80, 1150, -4, 90, 2800, -20, 120, \
                              400, 0, 60, 1600, -24, 80, 2700, -30, 120, \
                              350, 0, 50, 1700, -20, 100, 2700, -30, 120, \
                              450, 0, 70, 800, -9, 80, 2830, -16, 100, \
                              325, 0, 50, 700, -12, 60, 2530, -30, 170

; Bells: of each partial the ratio, the loudness and the share of the duration.
gibell ftgen 0, 0, -33, -2, 0.56, 1, 1,    0.561, 0.67, 0.9,  0.92, 1, 0.65,  0.921, 1.8, 0.55, \
                            1.19, 2.67, 0.325,  1.7, 1.67, 0.35,  2, 1.46, 0.25,  2.74, 1.33, 0.2, \
                            3, 1.33, 0.15,  3.76, 1, 0.1,  4.07, 1.33, 0.075

/* One formant on the way from one vowel to another.
   kcps pitch in Hz, kturn 0..1 the way, ifrom and ito vowels 0..4, iformant 0..2 */
opcode Formant, a, kkiii
  kcps, kturn, ifrom, ito, iformant xin
  ione = ifrom * 9 + iformant * 3
  itwo = ito * 9 + iformant * 3
  kcentre = table:i(ione, givowels) * (1 - kturn) + table:i(itwo, givowels) * kturn
  klevel = table:i(ione + 1, givowels) * (1 - kturn) + table:i(itwo + 1, givowels) * kturn
  kband = table:i(ione + 2, givowels) * (1 - kturn) + table:i(itwo + 2, givowels) * kturn
  asung fof ampdb(klevel), kcps, kcentre, 0, kband, 0.003, 0.02, 0.007, 80, gisine, gisigmoid, p3
  xout asung
endop

; ------------------------------------------------------------- what is analysed

; A singer. p4 dBFS, p5 pitch, p6 and p7 vowels
instr Singer
  kturn linseg 0, p3 * 0.25, 0, p3 * 0.5, 1, p3 * 0.25, 1
  kvibrato lfo 0.006 * linseg:k(0, 0.5, 0, 1, 1), 4.8 + rnd(0.9)
  kwander jspline 0.003, 0.5, 2
  kcps = cpspch(p5) * (1 + kvibrato + kwander)
  asung Formant kcps, kturn, p6, p7, 0
  asung += Formant(kcps, kturn, p6, p7, 1)
  asung += Formant(kcps, kturn, p6, p7, 2)
  abreath pinker
  abreath butbp abreath, 6000, 5000
  asung = (asung + 0.15 * abreath) * ampdbfs(p4) * linen:a(1, 0.7, p3, 0.9)
  $TO(choir'asung)
endin

; A bell. p4 dBFS, p5 pitch: eleven sines in a loop of control rate events
instr Bell
  ipartial = 0
loop:
  iratio table ipartial * 3, gibell
  iloud table ipartial * 3 + 1, gibell
  ilong table ipartial * 3 + 2, gibell
  event_i "i", "BellPartial", 0, p3 * ilong, ampdbfs(p4) * iloud / 4, cpspch(p5) * iratio
  loop_lt ipartial, 1, 11, loop
endin

instr BellPartial
  astruck expon p4, p3, p4 * 0.001
  astruck *= linseg:a(0, 0.004, 1, p3 - 0.014, 1, 0.01, 0)
  abell oscili astruck, p5, gisine
  $TO(bells'abell)
endin

; ------------------------------------------------------------- the streams

; From the choir to the bells and back, blurred in between, with itself a fifth above.
instr Morph
  achoir chnget "choir"
  abells chnget "bells"
  $ANALYSE(fchoir'achoir)
  $ANALYSE(fbells'abells)
  kamplitudes linseg 0, 6, 0, 6, 1, 4, 1, 6, 0.3, p3 - 22, 0.8
  kfrequencies linseg 0, 8, 0, 6, 1, 2, 1, 8, 0, p3 - 24, 1
  fmorphed pvsmorph fchoir, fbells, kamplitudes, kfrequencies
  kblur linseg 0.02, 8, 0.02, 4, 0.5, 6, 0.4, 6, 0.05
  fblurred pvsblur fmorphed, kblur, 0.6
  ffifth pvscale fblurred, 1.5, 1, 0.4
  fall pvsmix fblurred, ffifth
  amorphed pvsynth fall
  kcentroid pvscent fall
  kplace = limit(0.5 + (portk(kcentroid, 0.2) - 900) / 3000, 0.2, 0.8)
  aleft, aright pan2 amorphed, kplace
  $TO(left'aleft)
  $TO(right'aright)
endin

; Every few seconds the choir stands still, moved up by 70 Hz; what the mask lets through goes on.
instr Freeze
  achoir chnget "choir"
  $ANALYSE(fchoir'achoir)
  kstill lfo 1, 1 / 4.5, 3               ; a square, 0 or 1
  ffrozen pvsfreeze fchoir, kstill, kstill
  fshifted pvshift ffrozen, 70, 100
  fsmooth pvsmooth fshifted, 0.12, 0.6
  asmooth pvsynth fsmooth
  fmasked pvsmaska fchoir, gimask, 0.95
  amasked pvsynth fmasked
  aswell linen 1, 3, p3, 3
  $TO(left'0.6 * asmooth * aswell)
  $TO(right'0.8 * amasked * aswell)
endin

; The bells at a third of their speed, out of a buffer, each bin filtered by the choir of now.
instr Stretch
  achoir chnget "choir"
  abells chnget "bells"
  $ANALYSE(fchoir'achoir)
  $ANALYSE(fbells'abells)
  ibuffer, ktime pvsbuffer fbells, 12
  kread line 0, p3, p3 / 3
  fslow pvsbufread kread, ibuffer
  ffiltered pvsfilter fslow, fchoir, 0.7, 2
  farpeggio pvsarp fslow, 0.02 + 0.018 * lfo:k(1, 0.23), 0.7, 12
  afiltered pvsynth ffiltered
  aarpeggio pvsynth farpeggio
  aswell linen 1, 2, p3, 3
  $TO(left'(0.8 * afiltered + 0.25 * aarpeggio) * aswell)
  $TO(right'(0.8 * afiltered - 0.25 * aarpeggio) * aswell)
endin

; The spectrum turned upside down in tables below 4.7 kHz, and played by a bank of sines.
instr Mirror
  abells chnget "bells"
  $ANALYSE(fbells'abells)
  ffrom pvsinit $FFT, $HOP, $FFT, 1
  knew pvsftw fbells, gispectrum
  if knew == 1 then
    kbin = 0
    until kbin == 200 do
      tablewkt tablekt(199 - kbin, gispectrum) * 0.5, kbin, gireversed
      kbin += 1
    od
  endif
  fturned pvsmix fbells, ffrom
  pvsftr fturned, gireversed
  aturned pvsadsyn fturned, 90, 1, 4, 2
  aturned buthp aturned, 300
  aswell linen 1, 3, p3, 3
  $TO(left'0.3 * aturned * aswell)
  $TO(right'delay:a(0.3 * aturned * aswell, 0.011))
endin

; ------------------------------------------------------------- the church

instr Church
  aleft chnget "left"
  aright chnget "right"
  adry chnget "bells"
  aleft += 0.12 * adry
  aright += 0.12 * adry
  aleft dcblock2 aleft
  aright dcblock2 aright
  awetleft, awetright reverbsc aleft, aright, 0.88, 8000, sr, 0.4
  kopen linseg 1.8, p3 - 2, 1.8, 2, 0
  outs (aleft + 0.4 * awetleft) * kopen, (aright + 0.4 * awetright) * kopen
  chnclear "choir", "bells", "left", "right"
endin
</CsInstruments>
<CsScore>
; Vowels: 0 a, 1 e, 2 i, 3 o, 4 u
i "Singer" 0    8   -26  7.02  4  0
i .        0.2  7.8 .    7.09  4  3
i .        0.5  7.5 .    8.02  3  0
i .        0.7  7.3 .    8.06  3  1
i .        8    8   -24  6.11  0  2
i .        8.1  8   .    7.06  0  1
i .        8.3  8   .    8.02  0  2
i .        8.4  8   .    8.09  1  2
i .        16   11  -24  6.07  2  0
i .        16.1 11  .    7.02  1  0
i .        16.3 11  .    7.11  2  3
i .        16.6 11  .    8.06  2  4

i "Bell"   3    7   -19  8.02
i .        5    7   .    8.06
i .        7.5  8   .    7.11
i .        9    7   .    9.02
i .        11   6   .    8.09
i .        13   7   .    8.06
i .        15   9   -18  7.07
i .        17   7   .    9.01
i .        19   7   .    8.11
i .        21   8   .    9.06
i .        24   6   .    8.02

i "Morph"   0   29
i "Freeze"  5   18
i "Stretch" 8   20
i "Mirror"  12  14
i "Church"  0   34
e
</CsScore>
</CsoundSynthesizer>
