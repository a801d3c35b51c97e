<CsoundSynthesizer>
<CsInstruments>
; Grains: a music box, a drum and a phrase that is recorded while it is played; then the samples are
; looped, stretched and ground into clouds. All samples are made here: in a loop at i-time, by GEN
; routines and by recording into a table.
;   csound csd/pieces/grains.csd -odac

sr = 48000
ksmps = 16
nchnls = 2
0dbfs = 1

seed 3

gisine ftgen 0, 0, 16384, 10, 1
gihann ftgen 0, 0, 8192, 20, 2, 1
gihalf ftgen 0, 0, 8192, 9, 0.5, 1, 0
gicosine ftgen 0, 0, 8192, 9, 1, 1, 90
giattack ftgen 0, 0, 1024, 7, 0, 1024, 1
gidecay ftgen 0, 0, 1024, 5, 1, 1024, 0.001

; A tooth of the music box, A4: four partials that decay, sample by sample.
gitooth ftgen 0, 0, 65536, 2, 0
iplace = 0
while iplace < ftlen(gitooth) do
  iseconds = iplace / sr
  iphase = 2 * $M_PI * 440 * iseconds
  isample = 0.6 * sin(iphase) * exp(-3 * iseconds)
  isample += 0.25 * sin(2.01 * iphase) * exp(-5 * iseconds)
  isample += 0.2 * sin(5.43 * iphase) * exp(-11 * iseconds)
  isample += 0.12 * sin(8.93 * iphase) * exp(-23 * iseconds)
  tablew isample * (1 - exp(-800 * iseconds)), iplace, gitooth
  iplace += 1
od

; A frame drum: half a second of noise that a filter of one pole swallows, over a falling tone.
gidrum ftgen 0, 0, -round(0.5 * sr), 2, 0
gimemory = 0
gistate = 12345
iplace = 0
Strike:
  iseconds = iplace / sr
  gistate = (gistate * 16807) % 2147483647
  gimemory += (gistate / 1073741823.5 - 1 - gimemory) * exp(-14 * iseconds)
  iskin = sin(2 * $M_PI * (90 * iseconds - 1.5 * exp(-40 * iseconds)))
  tablew (0.7 * iskin * exp(-9 * iseconds) + 0.4 * gimemory * exp(-25 * iseconds)) \
         * (1 - iseconds * 2), iplace, gidrum
  loop_lt iplace, 1, ftlen(gidrum), Strike

; Eight seconds for the phrase, empty until it is played; it has a guard and a window.
giphrase ftgen 0, 0, -(8 * sr), 2, 0
; A vowel-like cycle by GEN 11, shaped by GEN 3, for the cloud's other source.
givowel ftgen 0, 0, 2048, 11, 12, 3, 0.8
givowel2 ftgen 0, 0, -2048, 18, givowel, 0.7, 0, 1023, gisine, 0.3, 512, 2047
; The scale of the cloud, in ratios.
giscale ftgen 0, 0, -8, -2, 0.5, 0.75, 1, 1, 1.125, 1.5, 2, 3
gimask ftgen 0, 0, 16, -2, 0, 2, 0, 0.35, 1
gichannels ftgen 0, 0, 16, -2, 0, 5, 0, 1, 0.5, 0.2, 0.8, 0.5
giwaveamps ftgen 0, 0, 32, -2, 0, 0, 1, 0.4, 0.3, 0, 0

gabox init 0
galeft init 0
garight init 0

; A tooth of the box. p4 dBFS, p5 pitch, p6 place
instr 1
  atooth lposcil3 ampdbfs(p4), cpspch(p5) / 440, ftlen(gitooth) - 2, ftlen(gitooth) - 1, gitooth
  atooth *= linseg:a(1, p3 - 0.02, 1, 0.02, 0)
  aleft, aright pan2 atooth, p6
  galeft += aleft
  garight += aright
  gabox += atooth
endin

; The drum, backwards where the speed is negative. p4 dBFS, p5 speed
instr 2
  ibegin = p5 < 0 ? ftlen(gidrum) - 1 : 0
  aplace line ibegin, ftlen(gidrum) / sr / abs(p5), p5 < 0 ? 0 : ftlen(gidrum) - 1
  adrum tablei aplace, gidrum
  adrum *= ampdbfs(p4) * linseg:a(1, ftlen(gidrum) / sr / abs(p5), 1, 0.001, 0)
  galeft += adrum
  garight += adrum
endin

; The recorder: what the box plays goes into the phrase's table, faded at both ends to loop.
instr 3
  aplace line 0, p3, ftlen(giphrase)
  afade linseg 0, 0.01, 1, p3 - 0.3, 1, 0.29, 0
  tablew gabox * afade, aplace, giphrase
endin

; The phrase as a loop with crossfades, slower and lower.
; p4 dBFS, p5 speed, p6 and p7 begin and end of the loop in seconds
instr 10
  kspeed linseg p5, p3 * 0.7, p5, p3 * 0.3, p5 * 0.5
  aloop flooper2 ampdbfs(p4), kspeed, p6, p7, 0.2, giphrase, 0, 0, gihann
  aloop *= linen:a(1, 1, p3, 2)
  galeft += aloop
  garight += delay:a(aloop, 0.019)
endin

; The phrase stretched to four times its length, in two ways. p4 dBFS, p5 transposition in semitones
instr 11
  awhere line 0.2, p3, 0.2 + p3 / 4
  alocked mincer awhere, ampdbfs(p4), semitone(p5), giphrase, 1, 2048, 8
  awarped sndwarp ampdbfs(p4), 4, semitone(p5 + 12), giphrase, 0.1, 2400, 240, 8, gihalf, 0
  aswell linen 1, 2, p3, 3
  galeft += (alocked + 0.35 * awarped) * aswell
  garight += (alocked - 0.35 * awarped) * aswell
endin

; A cloud: grains of the phrase and of a cycle, on pitches of the scale. What is random comes from
; seeded opcodes: partikkel's own dice are thrown by the time of day. p4 dBFS, p5 grains a second
instr 12
  async init 0
  krate linseg p5 * 0.3, p3 * 0.4, p5, p3 * 0.4, p5 * 1.5, p3 * 0.2, p5 * 0.2
  kwander jspline 0.35, 0.1, 0.4
  asample = a(limit(0.5 + kwander, 0.05, 0.9))
  kstep randomh 0, 7.999, 7
  kpitch tablekt kstep, giscale
  kduration expseg 60, p3 * 0.5, 300, p3 * 0.5, 120
  kjitter randomh 0.5, 1.5, 23
  aleft, aright partikkel krate * kjitter, 0, -1, async, 0.5, -1, giattack, gidecay, 0.5, 0.6, \
      kduration, ampdbfs(p4), gimask, kpitch / (ftlen(giphrase) / sr), 0.3, -1, -1, \
      a(0), -1, -1, gicosine, 1, 1, 1, gichannels, 0, \
      giphrase, giphrase, givowel2, givowel2, giwaveamps, \
      asample, asample, a(0), a(0), 1, 1, 110 / 1.7, 110 / 1.7, 60
  aswell linen 1, 2, p3, 3
  galeft += aleft * aswell
  garight += aright * aswell
endin

; Dust of the tooth: three kinds of grains. p4 dBFS
instr 13
  kdense expseg 4, p3 * 0.6, 45, p3 * 0.4, 3
  async syncgrain ampdbfs(p4) * 0.3, kdense, 0.5, 0.11, 0.4, gitooth, gihann, 60
  agrain grain3 2 * sr / ftlen(gitooth), 0.1, 0.05, 0.04, 0.09, kdense, 120, gitooth, gihann, \
                0.5, 0.3, 7
  aplain grain ampdbfs(p4) * 0.1, 660, kdense * 2, 0.1, 330, 0.05, givowel, gihann, 0.1
  aswell linen 1, 3, p3, 4
  galeft += (async + ampdbfs(p4) * 0.3 * agrain) * aswell
  garight += (async + aplain) * aswell
endin

; The box's wooden body.
instr 90
  galeft dcblock2 galeft
  garight dcblock2 garight
  abody resonx galeft + garight, 240, 60, 2, 1
  awetleft, awetright freeverb galeft + 0.1 * abody, garight + 0.1 * abody, 0.85, 0.5
  kopen linseg 1, p3 - 2, 1, 2, 0
  aoutleft clip (galeft + 0.5 * awetleft) * kopen, 0, 0.95
  aoutright clip (garight + 0.5 * awetright) * kopen, 0, 0.95
  outs aoutleft, aoutright
  clear galeft, garight, gabox
endin
</CsInstruments>
<CsScore>
#define TOOTH(AT'PITCH'PLACE) #i 1 [$AT] 1.4 -9 $PITCH $PLACE#
; The phrase, eight seconds.
#define PHRASE(AT) #
$TOOTH($AT+0'8.09'0.3)
$TOOTH($AT+0.5'9.00'0.6)
$TOOTH($AT+1'9.04'0.4)
$TOOTH($AT+1.5'9.02'0.7)
$TOOTH($AT+2'9.00'0.5)
$TOOTH($AT+2.25'8.11'0.4)
$TOOTH($AT+2.5'8.07'0.6)
$TOOTH($AT+3.5'8.04'0.3)
$TOOTH($AT+4'8.05'0.7)
$TOOTH($AT+4.5'8.09'0.4)
$TOOTH($AT+5'9.04'0.6)
$TOOTH($AT+5.5'9.05'0.3)
$TOOTH($AT+6'9.04'0.5)
$TOOTH($AT+6.5'8.08'0.7)
#
$PHRASE(0)
i 3  0   8
i 2  0   1.2  -9  1
i 2  2   1.2  -12 1.2
i 2  3   1.2  -12 -0.8
i 2  4   1.2  -9  1
i 2  6   1.2  -12 1.5
i 2  7   1    -12 -0.7

i 10 8   16   -8   0.5  0.5 3.8
i 11 10  16   -12  -5
i 12 14  18   -6   26
i 13 18  13   -9

{ 6 HIT
i 2 [14 + $HIT * 2.5] 1.5 [-14 + $HIT] [0.5 + 0.1 * $HIT]
}
i 1  30   1.4 -9   8.09 0.4
i 1  30.6 1.4 -11  8.04 0.6
i 1  31.4 1.4 -13  7.09 0.5
i 90 0   36
e
</CsScore>
</CsoundSynthesizer>
