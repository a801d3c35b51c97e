<CsoundSynthesizer>
<CsInstruments>
; The first oscillator of a VCS3 while its shape goes from one end to the other.
;   csound --opcode-lib=./build/libopcodes.so csd/VCS3OSC.csd -odac
; Every macro can be set from outside: --omacro:OSCILLATOR=2 --omacro:HEARD=atwo plays the second one's
; triangle, --omacro:OPCODE=VCS3OscUDO computes the same waves in Csound's own language.

sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

#ifndef OPCODE
#define OPCODE #VCS3OSC#
#end
#ifndef DURATION
#define DURATION #4#
#end
; 1 has sine and ramp, 2 and 3 rectangle and triangle; which of the two is heard, aone or atwo.
#ifndef OSCILLATOR
#define OSCILLATOR #1#
#end
#ifndef HEARD
#define HEARD #aone#
#end
; The frequency goes from one to the other, at k-rate or a-rate, and a sine of 811 Hz moves it by a part.
#ifndef FREQUENCYRATE
#define FREQUENCYRATE #k#
#end
#ifndef FREQUENCYSTART
#define FREQUENCYSTART #110#
#end
#ifndef FREQUENCYEND
#define FREQUENCYEND #110#
#end
#ifndef DEPTH
#define DEPTH #0#
#end
#ifndef SHAPESTART
#define SHAPESTART #0#
#end
#ifndef SHAPEEND
#define SHAPEEND #1#
#end

; A step of 1, and a bend of 1 per cycle, at a place in the cycle.
opcode Corner, aa, aaak
  aphase, aahead, abehind, kplace xin
  asince = frac(aphase + (1 - kplace))
  abefore = (1 - asince) / limit(aahead, 1e-12, 1)
  aafter = asince / limit(abehind, 1e-12, 1)
  atwo1 limit 2 - abefore, 0, 2
  aone1 limit 1 - abefore, 0, 1
  atwo2 limit 2 - aafter, 0, 2
  aone2 limit 1 - aafter, 0, 1
  asquare1 = atwo1 * atwo1
  asquare2 = aone1 * aone1
  asquare3 = atwo2 * atwo2
  asquare4 = aone2 * aone2
  afourth1 = asquare1 * asquare1
  afourth2 = asquare2 * asquare2
  afourth3 = asquare3 * asquare3
  afourth4 = asquare4 * asquare4
  astep = (afourth1 - 4 * afourth2 - afourth3 + 4 * afourth4) / 24
  abend = (aahead * (atwo1 * afourth1 - 4 * aone1 * afourth2) + abehind * (atwo2 * afourth3 - 4 * aone2 * afourth4)) / 120
  xout astep, abend
endop

; What takes back the spline's loss, beginning at rest.
opcode Equalized, a, a
  asignal xin
  kfirst init 0
  kisnew init 1
  if kisnew == 1 then
    kfirst vaget 0, asignal
    kisnew = 0
  endif
  asignal filter2 asignal - kfirst, 1, 2, 1.607695154586736, 0.535898384862245, 0.071796769724491
  xout asignal + kfirst
endop

; The same waves with phasor and arithmetic.
opcode VCS3OscUDO, aa, $FREQUENCYRATE.ki
  $FREQUENCYRATE.cycles, kshape, ioscillator xin
  aphase phasor $FREQUENCYRATE.cycles
  across = $FREQUENCYRATE.cycles / sr
  aahead limit across, 0, 0.45
  abehind = delay1(aahead) + mpulse(1, 0) * aahead
  if ioscillator == 1 then
    astep, abend Corner aphase, aahead, abehind, 0
    astep1, abend1 Corner aphase, aahead, abehind, 0.25
    astep2, abend2 Corner aphase, aahead, abehind, 0.75
    aone = sin($M_PI * kshape) * sin(2 * $M_PI * aphase) - cos($M_PI * kshape) * (abs(cos(2 * $M_PI * aphase)) + 4 * $M_PI * (abend1 + abend2) - 2 / $M_PI)
    atwo Equalized 2 * aphase - 1 - 2 * astep
  else
    kwidest downsamp aahead
    knarrowest = max(0.01, kwidest)
    kwidth limit kshape, knarrowest, 1 - knarrowest
    astep1, abend1 Corner aphase, aahead, abehind, 0
    astep2, abend2 Corner aphase, aahead, abehind, kwidth
    apast = aphase + (1 - kwidth) - frac(aphase + (1 - kwidth))
    aone Equalized 1 - 2 * apast + 2 * (astep1 - astep2)
    kslope = 2 / kwidth + 2 / (1 - kwidth)
    astraight = 2 * aphase / kwidth - 1 - apast * kslope * (aphase - kwidth)
    atwo Equalized astraight + kslope * (abend1 - abend2)
  endif
  xout aone, atwo
endop

instr 1
  $FREQUENCYRATE.sweep expon $FREQUENCYSTART * p4, p3, $FREQUENCYEND * p4
  $FREQUENCYRATE.vibrato oscili $DEPTH, 811
  $FREQUENCYRATE.frequency = $FREQUENCYRATE.sweep * (1 + $FREQUENCYRATE.vibrato)
  kshape line $SHAPESTART, p3, $SHAPEEND
  aone init 0
  atwo init 0
#ifndef EMPTY
  aone, atwo $OPCODE $FREQUENCYRATE.frequency, kshape, $OSCILLATOR
#end
#ifndef MUTED
  outch p4, 0.5 * $HEARD
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
