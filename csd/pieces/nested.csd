<CsoundSynthesizer>
<CsOptions>
-d
</CsOptions>
<CsInstruments>
; Nested: a toccata for plucked strings, a reed that drives itself and trees of tones, where all
; that sounds is a user-defined opcode: opcodes within opcodes, feedback of one sample at ksmps 1,
; and opcodes that call themselves.
;   csound csd/pieces/nested.csd -odac

sr = 48000
ksmps = 64
nchnls = 2
0dbfs = 1

seed 61

gisine ftgen 0, 0, 16384, 10, 1

; ---------------------------------------------------------------- control opcodes

; A value that follows another in ktime seconds from ifirst on.
opcode Follow, k, kki
  ktarget, ktime, ifirst xin
  kvalue init ifirst
  kvalue += (ktarget - kvalue) * (1 - exp(-1 / (kr * ktime)))
  xout kvalue
endop

; Vibrato that sets in late: a factor for a frequency.
opcode Vibrato, k, iio
  irate, idepth, ilate xin
  konset linseg 0, ilate + 0.01, 0, 0.4, 1
  krate = irate * (1 + 0.1 * lfo:k(1, 0.7))
  kwave lfo idepth * konset, krate
  xout 1 + kwave
endop

; ---------------------------------------------------------------- one sample of feedback

; Soft clipping, 2/pi atan(x pi/2).
opcode Saturate, a, a
  asignal xin
  xout 0.63662 * taninv(1.5708 * asignal)
endop

; A string: a delay that hears itself through a filter of two samples.
;   kbright 0..1 how little the filter takes away, idecay seconds to -60 dB
opcode PluckedString, a, aiki
  setksmps 1
  aexcitation, icps, kbright, idecay xin
  alast init 0
  iperiod = 1 / icps
  igain = 0.001 ^ (iperiod / idecay)
  kweight = 0.5 + 0.5 * kbright         ; the filter delays by 1 - kweight samples
  adummy delayr iperiod + 0.01
  atap deltapi a(iperiod - (2 - kweight) / sr)
  afiltered = kweight * atap + (1 - kweight) * alast
  delayw aexcitation + igain * afiltered
  alast = atap
  xout afiltered
endop

; A ladder of four poles around a saturation: the nested opcode is called in each sample.
opcode Ladder, a, akk
  setksmps 1
  ain, kcutoff, kresonance xin
  a1, a2, a3, a4 init 0
  kweight = 1 - exp(-2 * $M_PI * kcutoff / sr)
  adriven Saturate ain - 4 * kresonance * a4
  a1 += kweight * (adriven - a1)
  a2 += kweight * (a1 - a2)
  a3 += kweight * (a2 - a3)
  a4 += kweight * (a3 - a4)
  xout a4
endop

; Two oscillators, each bent by what the other said a sample ago: between a reed and a storm.
opcode Reed, a, kkkk
  setksmps 1
  kcps, kratio, kself, kcross xin
  aone, atwo init 0
  aphase phasor kcps
  aother phasor kcps * kratio
  aone tablei aphase + kself * aone + kcross * atwo, gisine, 1, 0, 1
  atwo tablei aother + kcross * aone, gisine, 1, 0, 1
  xout aone
endop

; ---------------------------------------------------------------- opcodes that call themselves

; A chain of icount allpasses, each shorter than the one before.
opcode Diffuse, a, aiip
  ain, iseconds, icount, idepth xin
  aout alpass ain, 1.2, iseconds
  aout = 0.7 * aout
  if idepth < icount then
    aout Diffuse aout, iseconds * 0.7312, icount, idepth + 1
  endif
  xout aout
endop

; A tree of tones: a trunk, and on it two smaller trees, a fifth and an octave with a third above.
opcode Tree, a, kiip
  kcps, iloudness, ilevels, ilevel xin
  ishape = iloudness / ilevel
  kbreath Vibrato 0.3 + 0.11 * ilevel, 0.35
  asound poscil ishape * (kbreath - 0.35), kcps, gisine, rnd(1)
  if ilevel < ilevels then
    aleft Tree kcps * 1.5, iloudness * 0.55, ilevels, ilevel + 1
    aright Tree kcps * 2.5, iloudness * 0.35, ilevels, ilevel + 1
    asound += aleft + aright
  endif
  xout asound
endop

; ---------------------------------------------------------------- opcodes of these opcodes

; A plucked note: noise through a ladder into a string.
opcode Pluck, a, iii
  icps, iforce, ibright xin
  aburst noise iforce, 0
  aburst *= expseg(1, 1 / icps, 0.2, 0.01, 0.0001, 1, 0.0001)
  aburst Ladder aburst, icps * (8 + 24 * ibright), 0.1
  kbright Follow ibright * 0.7, 0.3, 1
  astring PluckedString aburst, icps, kbright, 3.5 * sqrt(110 / icps)
  xout dcblock(astring)
endop

; The same into a place between left and right: an overload with strings for who plays.
opcode Place, aa, aS
  ain, Swho xin
  if strcmp(Swho, "left") == 0 then
    aleft, aright pan2 ain, 0.2
  elseif strcmp(Swho, "right") == 0 then
    aleft, aright pan2 ain, 0.8
  else
    aleft, aright pan2 ain, 0.5
  endif
  xout aleft, aright
endop

opcode Place, aa, ai
  ain, iplace xin
  aleft, aright pan2 ain, iplace
  xout aleft, aright
endop

; ---------------------------------------------------------------- the players

; A string. p4 dBFS, p5 pitch, p6 brightness, p7 "left", "right" or "middle"
instr String
  astring Pluck cpspch(p5), ampdbfs(p4), p6
  astring *= linsegr(1, 0.1, 1, 0.15, 0)
  Splace strget p7              ; p7 itself would take the overload for numbers
  aleft, aright Place astring, Splace
  chnmix aleft, "left"
  chnmix aright, "right"
endin

; The toccata: figures of strings out of a line of pitches.
; p4 dBFS, p5 notes a second, p6 transposition in semitones
instr Toccata
  ifigure[] fillarray 0, 7, 12, 15, 14, 12, 7, 12, 3, 7, 10, 14, 15, 14, 10, 7
  inote = 0
  until inote >= p3 * p5 do
    istep = ifigure[inote % 16] + (int(inote / 32) % 2 == 1 ? -2 : 0)
    ipitch = pchmidinn(45 + p6 + istep)
    iaccent = inote % 4 == 0 ? 3 : 0
    Splace strcpy inote % 2 == 0 ? "left" : "right"
    schedule "String", inote / p5, 0.7, p4 + iaccent, ipitch, 0.25 + 0.6 * inote / (p3 * p5), Splace
    inote += 1
  od
endin

; The reed. p4 dBFS, p5 pitch, p6 how rough in the end, p7 place
instr Reed
  kcps Follow cpspch(p5), 0.03, cpspch(p5) * 0.94
  kvibrato Vibrato 5.2, 0.006, 0.5
  kself linseg 0.05, p3, 0.02 + 0.1 * p6
  kcross linseg 0, p3 * 0.5, 0.12 * p6, p3 * 0.5, 0.03
  asound Reed kcps * kvibrato, 1.5, kself, kcross
  kcutoff expseg cpspch(p5) * 2, 0.2, cpspch(p5) * 7, p3, cpspch(p5) * 3
  asound Ladder asound * 0.8, kcutoff, 0.35
  asound dcblock asound
  asound *= ampdbfs(p4) * linsegr(0, 0.06, 1, 0.3, 0.8, 0.25, 0)
  aleft, aright Place asound, p7
  chnmix aleft, "left"
  chnmix aright, "right"
endin

; The tree. p4 dBFS, p5 pitch, p6 levels
instr Tree
  atree Tree cpspch(p5), ampdbfs(p4), p6
  atree *= linsegr(0, 2, 1, 2, 0)
  chnmix atree, "left"
  chnmix delay(atree, 0.013), "right"
endin

; The room, on all the time.
instr Room
  aleft chnget "left"
  aright chnget "right"
  chnclear "left", "right"
  awetleft Diffuse aleft + 0.3 * aright, 0.0712, 7
  awetright Diffuse aright + 0.3 * aleft, 0.0834, 7
  kopen linseg 1, p3 - 1, 1, 1, 0
  outs Saturate(aleft + 0.35 * awetleft) * kopen, Saturate(aright + 0.35 * awetright) * kopen
endin
</CsInstruments>
<CsScore>
t 0 60
;                         dBFS  notes/s  transposition
i "Toccata"  0     16     -4    8        0
i "Toccata"  16    6      -3    8        5
i "Toccata"  22    4      -2    8        -2
;                         dBFS  pitch  rough  place
i "Reed"     4     1.9    -13   8.03   0.3    0.35
i .          6     1.9    .     8.02   0.4    0.39
i .          8     3.8    .     7.10   0.5    0.42
i .          12    1.9    .     8.05   0.6    0.46
i .          14    0.95   .     8.07   0.7    0.5
i .          15    0.95   .     8.10   0.8    0.54
i .          16    3.8    .     8.08   0.9    0.57
i .          20    1.9    .     8.07   1      0.61
i .          22    4.8    .     8.02   1.3    0.65
;                         dBFS  pitch  levels
i "Tree"     0     8      -26   5.09   4
i "Tree"     8     8      -25   5.07   4
i "Tree"     16    6      -24   5.02   5
i "Tree"     22    5      -24   5.07   5
;                         dBFS  pitch  bright  place
i "String"   26    1.5    -1    5.09   0.9     "left"
i "String"   26.05 1.5    -1    6.04   0.9     "middle"
i "String"   26.1  1.5    -1    6.09   0.9     "right"
i "String"   26.15 1.5    -1    7.01   0.9     "middle"
i "Room"     0     31
e
</CsScore>
</CsoundSynthesizer>
