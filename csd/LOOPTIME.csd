<CsoundSynthesizer>
<CsInstruments>
; A drum loop and a bass loop that come in at odd moments and are in step all the same; halfway the
; tempo jumps.
;   csound --opcode-lib=./build/libopcodes.so csd/LOOPTIME.csd -odac

sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

#ifndef OPCODE
#define OPCODE #LOOPTIME#
#end
#ifndef DURATION
#define DURATION #8#
#end
; Beats a minute, before and after the jump.
#ifndef TEMPO
#define TEMPO #120#
#end
#ifndef TEMPOAFTER
#define TEMPOAFTER #132#
#end

; Four beats of drums, played into a table at TEMPO: a kick on every beat, a snare on two and four, a
; hat on the quavers between.
gibeat = round(sr * 60 / $TEMPO)
gidrums ftgen 0, 0, -4 * gibeat, 2, 0
iplace = 0
while iplace < 4 * gibeat do
  ibeat = int(iplace / gibeat)
  it = (iplace % gibeat) / sr
  ihat = it - gibeat / 2 / sr
  inoise = frac(abs(sin(iplace * 12.9898)) * 43758.5453) * 2 - 1
  isample = 0.6 * sin(2 * $M_PI * (50 * it - 3 * exp(-30 * it))) * exp(-9 * it)
  isample += ibeat % 2 == 1 ? 0.3 * inoise * exp(-16 * it) : 0
  isample += ihat >= 0 ? 0.15 * inoise * exp(-60 * ihat) : 0
  tablew isample, iplace, gidrums
  iplace += 1
od

; Eight quavers of bass, the same length.
gibass ftgen 0, 0, -4 * gibeat, 2, 0
gipitches[] fillarray 55, 55, 110, 55, 65.406, 55, 82.407, 98
iplace = 0
while iplace < 4 * gibeat do
  iquaver = int(2 * iplace / gibeat)
  it = (iplace % (gibeat / 2)) / sr
  iphase = 2 * $M_PI * gipitches[iquaver] * it
  tablew 0.3 * (sin(iphase) + 0.5 * sin(2 * iphase)) * exp(-7 * it) * (1 - exp(-300 * it)), iplace, gibass
  iplace += 1
od

instr 1
  ktempo = timeinsts() + p2 < $DURATION / 2 ? $TEMPO : $TEMPOAFTER
  aloop init 0
#ifndef EMPTY
  aloop $OPCODE p5, 4, ktempo
#end
#ifndef MUTED
  outch p4, aloop * linseg:a(0, 0.005, 0.7, p3 - 0.01, 0.7, 0.005, 0)
#end
endin

; Two notes for each output channel: the drums, and the bass from some moment between two beats.
ichannel = 1
while ichannel <= nchnls do
  schedule 1, 0, $DURATION, ichannel, gidrums
  schedule 1, $DURATION * 0.137, $DURATION * 0.863, ichannel, gibass
  ichannel += 1
od
event_i "e", 0, $DURATION
</CsInstruments>
<CsScore>
f 0 z
</CsScore>
</CsoundSynthesizer>
