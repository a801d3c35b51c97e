<CsoundSynthesizer>
<CsInstruments>
; Swarm: eighty partials fly about like bees, gather on a chord, scatter, and gather on another. FM
; fireflies above them, a tied drone below. Some hundred notes at a time, each of cheap opcodes.
;   csound csd/pieces/swarm.csd -odac

sr = 48000
ksmps = 32
nchnls = 2
0dbfs = 1

seed 1789

#define BEES #80#
#define VOICES #5#

gisine ftgen 1, 0, 8192, 10, 1
; The two chords in octaves, Csound's oct: D minor with a ninth, C major with a second.
gifirst ftgen 2, 0, -$VOICES, -2, 6.1667, 7, 7.4167, 7.75, 8.3333
gisecond ftgen 3, 0, -$VOICES, -2, 6, 7, 7.5833, 8.1667, 8.3333

galeft init 0
garight init 0

; The hive: lets all bees go in the first two seconds.
instr 1
  ibee = 0
  while ibee < $BEES do
    istart random 0, 2
    ipan random 0.05, 0.95
    schedule 10, istart, p3 - 2 - istart, ibee, p4, ipan
    ibee += 1
  od
endin

/* A bee: one partial of one note of the chords.
   p4 its number, p5 loudness in dBFS, p6 place between left and right */
instr 10
  inote = p4 % $VOICES
  ipartial = 1 + int(p4 / $VOICES) % 8
  idetune random -0.004, 0.004            ; octaves
  ifirst = cpsoct(table(inote, gifirst) + idetune) * ipartial
  isecond = cpsoct(table(inote, gisecond) + idetune) * ipartial
  iastray random 6, 11
  ibstray random 6.5, 11.5
  kpitch expseg cpsoct(iastray), p3 * 0.25, ifirst, p3 * 0.13, ifirst, \
                p3 * 0.17, cpsoct(ibstray), p3 * 0.2, isecond, p3 * 0.25, isecond
  ; wings: a flutter that grows with the distance from the chord
  knear = abs(log(kpitch / ifirst)) < abs(log(kpitch / isecond)) ? ifirst : isecond
  kaway limit abs(log(kpitch / knear)), 0.02, 1
  kflutter jspline 0.05 * kaway, 4, 11
  kswell randomi 0.5, 1, 0.7, 3
  aenvelope linsegr 0, 2.5, 1, 1, 0.8, 2, 0
  abee poscil aenvelope * kswell * ampdbfs(p5) / ipartial, kpitch * (1 + kflutter), gisine
  kplace = p6 + 0.1 * kaway * lfo(1, 0.3 + p4 / $BEES)
  aleft, aright pan2 abee, limit(kplace, 0, 1)
  vincr galeft, aleft
  vincr garight, aright
endin

; Whoever watches the fireflies: a shower that thickens, and a burst on the second chord.
instr 2
  kdensity linseg 0.5, p3 * 0.3, 6, p3 * 0.3, 18, p3 * 0.4, 1
  kflash metro kdensity
  kdice random 0, 4.999
  koctave table kdice, gisecond
  kheight random 1, 3.999
  kduration random 0.6, 2.2
  kplace random 0, 1
  schedkwhen kflash, 0, 28, 20, 0, kduration, -31, koctave + int(kheight), kplace

  ktime timeinsts
  kburst trigger ktime, p3 * 0.72, 0
  if kburst == 1 then
    kcount = 0
    until kcount >= 48 do
      koctave table kcount % $VOICES, gisecond
      event "i", 20, kcount * 0.035, 3.5 - kcount * 0.03, -33, \
            koctave + 1 + int(kcount / 16), 0.5 + 0.45 * sin(kcount)
      kcount += 1
    od
  endif
endin

; A firefly. p4 dBFS, p5 pitch in octaves, p6 place
instr 20
  icps = cpsoct(p5)
  iratio = icps > 1500 ? 1.4142 : 3.01
  kindex expon 4, p3, 0.2
  aglow expsegr 0.001, 0.008, 1, p3 * 0.4, 0.2, p3, 0.02, 0.35, 0.001
  afly foscili ampdbfs(p4) * aglow, icps, 1, iratio, kindex, gisine
  afly tone afly, 9000 ; keeps them gentle
  aleft, aright pan2 afly, p6
  vincr galeft, aleft
  vincr garight, aright
endin

; The drone: tied notes, p1 30.1 and 30.2. p4 dBFS, p5 pitch (pch)
instr 30
  itied tival
  iskip = itied == 1 ? -1 : 0       // oscillators that are tied go on where they are
  ito = cpspch(p5)
  xtratim 3
  kreleased release
  tigoto Held
  ifrom = ito
Held:
  kpitch expseg ifrom, 1.2, ito, 1, ito
  ifrom = ito                       // where the next tied note glides from
  kopen portk (kreleased == 1 ? 0 : 1), (kreleased == 1 ? 0.5 : 0.8), iskip
  asaw vco2 0.5, kpitch, itied      // an odd imode leaves the oscillator as it is
  abelow poscil 0.5, kpitch * 0.501, gisine, iskip
  ktide poscil 0.7, 0.17, gisine, iskip
  kcutoff = 200 + 500 * kopen * (1 + ktide)
  adrone moogladder asaw + abelow, kcutoff, 0.2, itied
  aopen interp kopen, itied         // a() would start again from 0
  adrone dcblock2 adrone * ampdbfs(p4) * aopen, 0, itied
  vincr galeft, adrone
  vincr garight, adrone
endin

; The night air, on all the time.
instr 90
  awetleft, awetright reverbsc galeft, garight, 0.86, 9000, sr, 0.6
  kfade linseg 1, p3 - 1.5, 1, 1.5, 0
  outs (galeft + 0.35 * awetleft) * kfade, (garight + 0.35 * awetright) * kfade
  clear galeft, garight
endin
</CsInstruments>
<CsScore>
c the drone's notes have negative durations: held until the next with the same p1
i 30.1  0  -9  -17  6.02
i 30.2  4  -5  -20  7.02
i 30.1  9  -9  .    5.10   ; tied
i 30.2  9  -9  .    6.05
i 30.1  18  9  .    5.00   ; tied, and the end of the tie
i 30.2  18  9  .    6.07

i 1   0  30  -23
i 2   3  25
i 90  0  34
e
</CsScore>
</CsoundSynthesizer>
