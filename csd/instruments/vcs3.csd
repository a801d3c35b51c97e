<CsoundSynthesizer>
<CsInstruments>
; A VCS3: three oscillators, noise, filter, ring modulator, springs, a trapezoid and a matrix of pins.
;   ./opcodekit play vcs3 --panel
;   csound --opcode-lib=./build/libopcodes.so csd/instruments/vcs3.csd -odac -Ma
;   ./opcodekit render csd/instruments/vcs3.csd --omacro DEMO=1 -o vcs3.wav
; Keys come from the panel, from score events, whose p4 is the MIDI note and p5 the velocity, and from MIDI. Of
; those that are held, the last one struck counts; each starts the attack. A channel for each pin, column and
; row, "B1", is 1 where there is one (0.04 a green pin). MIDI: pitch bend moves the keys by two semitones;
; controllers 1 and 2 move the stick from its centre, 74 the filter's frequency, 71 its response, 73 attack,
; 72 decay, 91 the reverberation's mix.
;
;     column A meter         row 1 oscillator 1, sine     row 9  input, velocity
;            B, C outputs        2 oscillator 1, ramp         10 filter
;            D envelope          3 oscillator 2, square       11 trapezoid
;            E, F ring           4 oscillator 2, ramp         12 envelope
;            G reverb            5 oscillator 3, square       13 ring
;            H filter            6 oscillator 3, ramp         14 reverb
;            I, J, K oscillators 7 noise                      15 stick, x
;            L decay             8 keys                       16 stick, y
;            M reverb's mix
;            N filter's frequency
;            O, P outputs' levels
;
; A signal of 1 moves a frequency by five octaves, the decay too. Everything goes through the matrix once in a
; k-cycle, so each passage takes 8 samples.

sr = 48000
ksmps = 8
nchnls = 2
nchnls_i = 1
0dbfs = 1

; Programs choose presets of the panel, not instruments.
pgmassign 0, -1
massign 0, 1

; ---- The controls

chn_k "frequency1", 1, 3, 261.63, 1, 10000
chn_k "shape1", 1, 2, 0.5, 0, 1
chn_k "sine1", 1, 2, 0.7, 0, 1
chn_k "ramp1", 1, 2, 0.6, 0, 1
chn_k "frequency2", 1, 3, 262.8, 1, 10000
chn_k "shape2", 1, 2, 0.5, 0, 1
chn_k "square2", 1, 2, 0.5, 0, 1
chn_k "ramp2", 1, 2, 0.7, 0, 1
chn_k "frequency3", 1, 3, 5, 0.05, 500
chn_k "shape3", 1, 2, 0.5, 0, 1
chn_k "square3", 1, 2, 0.7, 0, 1
chn_k "ramp3", 1, 2, 0.7, 0, 1
chn_k "colour", 1, 2, 0.5, 0, 1
chn_k "noise", 1, 2, 0.5, 0, 1
chn_k "keys", 1, 2, 1, 0, 2
chn_k "input", 1, 2, 1, 0, 4
chn_k "velocity", 1, 2, 0.4, 0, 2
chn_k "cutoff", 1, 3, 300, 5, 10000
chn_k "response", 1, 2, 0.55, 0, 2
chn_k "filter", 1, 2, 0.7, 0, 1
chn_k "ring", 1, 2, 0.7, 0, 1
chn_k "mix", 1, 2, 0.5, 0, 1
chn_k "reverb", 1, 2, 0.7, 0, 1
chn_k "attack", 1, 3, 0.01, 0.002, 1
chn_k "on", 1, 2, 0.05, 0, 2.5
chn_k "decay", 1, 3, 0.6, 0.003, 15
chn_k "off", 1, 3, 0.5, 0.01, 5
chn_k "trapezoid", 1, 2, 0.35, -1, 1
chn_k "signal", 1, 2, 0.8, 0, 1
chn_k "repeat", 1, 1, 0, 0, 1
chn_k "gate", 1, 1, 0, 0, 1
chn_k "level1", 1, 2, 0.7, 0, 1
chn_k "tone1", 1, 2, 0.5, 0, 1
chn_k "pan1", 1, 2, 0.35, 0, 1
chn_k "level2", 1, 2, 0.7, 0, 1
chn_k "tone2", 1, 2, 0.5, 0, 1
chn_k "pan2", 1, 2, 0.65, 0, 1
chn_k "stickX", 1, 2, 0, -1, 1
chn_k "stickY", 1, 2, 0, -1, 1
chn_k "rangeX", 1, 2, 0.4, 0, 1
chn_k "rangeY", 1, 2, 0.4, 0, 1
chn_k "tolerance", 1, 2, 0, 0, 0.05
chn_k "fine", 1, 1, 0, 0, 1
chn_k "meter", 2, 2, 0, 0, 1

gSletters = "ABCDEFGHIJKLMNOP"
gipins ftgen 1, 0, -256, -2, 0
iplace = 0
while iplace < 256 do
  Spin sprintf "%s%d", strsub(gSletters, iplace % 16, iplace % 16 + 1), int(iplace / 16) + 1
  chn_k Spin, 1, 1, 0, 0, 1
  iplace += 1
od

; What they begin with where nobody sets them: no panel, no chnset.
chnset 261.63, "frequency1"
chnset 0.5, "shape1"
chnset 0.7, "sine1"
chnset 0.6, "ramp1"
chnset 262.8, "frequency2"
chnset 0.5, "shape2"
chnset 0.5, "square2"
chnset 0.7, "ramp2"
chnset 5, "frequency3"
chnset 0.5, "shape3"
chnset 0.7, "square3"
chnset 0.7, "ramp3"
chnset 0.5, "colour"
chnset 0.5, "noise"
chnset 1, "keys"
chnset 1, "input"
chnset 0.4, "velocity"
chnset 300, "cutoff"
chnset 0.55, "response"
chnset 0.7, "filter"
chnset 0.7, "ring"
chnset 0.5, "mix"
chnset 0.7, "reverb"
chnset 0.01, "attack"
chnset 0.05, "on"
chnset 0.6, "decay"
chnset 0.5, "off"
chnset 0.35, "trapezoid"
chnset 0.8, "signal"
chnset 0.7, "level1"
chnset 0.5, "tone1"
chnset 0.35, "pan1"
chnset 0.7, "level2"
chnset 0.5, "tone2"
chnset 0.65, "pan2"
chnset 0.4, "rangeX"
chnset 0.4, "rangeY"
chnset 1, "H2"
chnset 1, "H3"
chnset 1, "I8"
chnset 1, "J8"
chnset 1, "N8"
chnset 1, "D10"
chnset 1, "N11"
chnset 1, "B12"
chnset 1, "G12"
chnset 1, "C14"

; A control, without steps.
opcode Knob, k, S
  Schannel xin
  xout port(chnget:k(Schannel), 0.01, chnget:i(Schannel))
endop

; ---- Keys

; How many are held, the one that counts, when it was struck, and the velocity of the last one struck.
gkheld init 0
gkkey init 60
gkturn init 0
gkvelocity init 0
gkstruck init 0
gkpitch init 0
gkquality init 0
giturn init 0
gkbend init 0

instr 1
  midinoteonkey p4, p5
  giturn += 1
  iturn = giturn
  ivelocity = p5 > 0 ? p5 / 127 : 100 / 127
  kage timeinstk
  if gkheld == 0 || iturn > gkturn then
    gkkey = p4
    gkturn = iturn
    gkvelocity = kage == 1 ? ivelocity : gkvelocity
  endif
  gkheld += 1
  gkstruck = kage == 1 ? 1 : gkstruck
endin

; ---- The matrix's pins and MIDI controllers

opcode Row, 0, ii
  irow, icolumn xin
  Spin sprintf "%s%d", strsub(gSletters, icolumn, icolumn + 1), irow + 1
  tablew chnget:k(Spin), 16 * irow + icolumn, gipins
  if icolumn < 15 then
    Row irow, icolumn + 1
  endif
endop

; One row after the other, a hundred times a second.
#define ROW(NUMBER) #
  if kturn == 4 * $NUMBER then
    Row $NUMBER, 0
  endif
#

opcode Controller, 0, kkkSiii
  knumber, kvalue, kwanted, Schannel, ilow, ihigh, iexponential xin
  if knumber == kwanted then
    if iexponential == 1 then
      chnset ilow * (ihigh / ilow) ^ (kvalue / 127), Schannel
    else
      chnset ilow + (ihigh - ilow) * kvalue / 127, Schannel
    endif
  endif
endop

instr 9
  kage timeinstk
  kturn = kage % 64
  ; An init pass sets the quality, so the synthesizer begins anew.
  kquality = chnget:k("fine") > 0 ? 2 : 0
  if kquality != gkquality then
    turnoff2 10, 0, 0
    event "i", 10, 0, -1
    gkquality = kquality
  endif
  $ROW(0)
  $ROW(1)
  $ROW(2)
  $ROW(3)
  $ROW(4)
  $ROW(5)
  $ROW(6)
  $ROW(7)
  $ROW(8)
  $ROW(9)
  $ROW(10)
  $ROW(11)
  $ROW(12)
  $ROW(13)
  $ROW(14)
  $ROW(15)
  kmore = 1
  while kmore == 1 do
    kstatus, kchannel, knumber, kvalue midiin
    kmore = kstatus == 0 ? 0 : 1
    if kstatus == 176 then
      Controller knumber, kvalue, 1, "stickX", 0, 1, 0
      Controller knumber, kvalue, 2, "stickY", 0, 1, 0
      Controller knumber, kvalue, 74, "cutoff", 5, 10000, 1
      Controller knumber, kvalue, 71, "response", 0, 2, 0
      Controller knumber, kvalue, 73, "attack", 0.002, 1, 1
      Controller knumber, kvalue, 72, "decay", 0.003, 15, 1
      Controller knumber, kvalue, 91, "mix", 0, 1, 0
    elseif kstatus == 224 then
      ; From two semitones below to two above.
      gkbend = (knumber + 128 * kvalue - 8192) / 4096
    endif
  od
endin

; ---- The synthesizer

; What comes out: level, a filter from dark over flat to bright.
opcode Output, a, aakk
  asignal, alevel, klevel, ktone xin
  asignal *= limit(klevel + alevel, 0, 1)
  alow tone asignal, 800
  xout 2 * ((1 - ktone) * alow + ktone * (asignal - alow))
endop

instr 10
  ; Oscillators, filter and outputs with fewer aliases, or as before.
  iquality = chnget:i("fine") > 0 ? 2 : 0
  gkquality init iquality
  arows[] init 16
  acolumns[] PINS arows, gipins, 16, chnget:k("tolerance"), 4

  ; Oscillators and noise.
  asine, aramp VCS3OSC Knob("frequency1") * octave(5 * acolumns[8]), Knob("shape1"), 1, iquality
  arows[0] = Knob("sine1") * asine
  arows[1] = Knob("ramp1") * aramp
  asquare, aramp VCS3OSC Knob("frequency2") * octave(5 * acolumns[9]), Knob("shape2"), 2, iquality
  arows[2] = Knob("square2") * asquare
  arows[3] = Knob("ramp2") * aramp
  asquare, aramp VCS3OSC Knob("frequency3") * octave(5 * acolumns[10]), Knob("shape3"), 3, iquality
  arows[4] = Knob("square3") * asquare
  arows[5] = Knob("ramp3") * aramp
  anoise VCS3NOISE Knob("colour")
  arows[6] = Knob("noise") * anoise

  ; Keys: an octave is 0.2, C4 0. Striking one lets go of the others for a moment.
  gkpitch = gkheld > 0 ? (gkkey - 60) / 60 : gkpitch
  kgate = (gkheld > 0 && gkstruck == 0) || chnget:k("gate") > 0 ? 1 : 0
  gkheld = 0
  gkstruck = 0
  arows[7] = a((gkpitch + port(gkbend, 0.003) / 60) * Knob("keys"))
  arows[8] = Knob("input") * inch(1) + a(Knob("velocity") * gkvelocity)

  ; The filter; a little noise begins its oscillation.
  afiltered VCS3FILTER acolumns[7] + 0.00001 * anoise, Knob("cutoff") * octave(5 * acolumns[13]), Knob("response"), iquality
  arows[9] = Knob("filter") * afiltered

  kdecay = chnget:k("decay") * octave(5 * downsamp(acolumns[11]))
  koff = chnget:k("repeat") > 0 ? chnget:k("off") : -1
  aenvelope, ktrapezoid VCS3ENV kgate, chnget:k("attack"), chnget:k("on"), kdecay, koff
  arows[10] = Knob("trapezoid") * interp(ktrapezoid)
  arows[11] = Knob("signal") * aenvelope * acolumns[3]

  aring VCS3RING acolumns[4], acolumns[5]
  arows[12] = Knob("ring") * aring

  aspring SPRING acolumns[6]
  amix limit Knob("mix") + acolumns[12], 0, 1
  arows[13] = Knob("reverb") * (acolumns[6] + amix * (2 * aspring - acolumns[6]))

  arows[14] = interp(Knob("stickX") * Knob("rangeX"))
  arows[15] = interp(Knob("stickY") * Knob("rangeY"))

  aone Output acolumns[1], acolumns[14], Knob("level1"), Knob("tone1")
  atwo Output acolumns[2], acolumns[15], Knob("level2"), Knob("tone2")
  kpan1 = Knob("pan1")
  kpan2 = Knob("pan2")
  aleft = aone * cos($M_PI_2 * kpan1) + atwo * cos($M_PI_2 * kpan2)
  aright = aone * sin($M_PI_2 * kpan1) + atwo * sin($M_PI_2 * kpan2)
  ; The end of the amplifiers' range.
  out 0.7 * SATURATE(aleft, iquality), 0.7 * SATURATE(aright, iquality)

  kpeak init 0
  kpeak = max(abs(downsamp(acolumns[0])), kpeak * 0.999)
  kage timeinstk
  if kage % 256 == 0 then
    chnset kpeak, "meter"
  endif
endin

; ---- Twenty seconds of it, by itself, where DEMO is defined

#ifdef DEMO
instr 11
  chnset p4, strget(p5)
endin

opcode Set, 0, iiS
  iwhen, ivalue, Schannel xin
  schedule 11, iwhen, 0.01, ivalue, Schannel
endop

opcode Note, 0, iii
  istart, ilength, ikey xin
  schedule 1 + ikey / 1000, istart, ilength, ikey, 100
endop

; A lead over its own echoes.
giline[] fillarray 60, 63, 67, 70, 72, 70, 67, 63, 58, 62, 65, 70, 72, 75, 74, 67
inote = 0
while inote < lenarray(giline) do
  Note inote * 0.3, 0.2, giline[inote]
  inote += 1
od
; Bells: two oscillators into the ring modulator.
Set 5, 0, "H2"
Set 5, 0, "H3"
Set 5, 0, "D10"
Set 5, 1, "E1"
Set 5, 1, "F3"
Set 5, 1, "D13"
Set 5, 1, "ring"
Set 5, 738, "frequency2"
Set 5, 0.002, "attack"
Set 5, 2.5, "decay"
Note 5.2, 0.1, 60
Note 6.2, 0.1, 67
Note 7.2, 0.1, 55
Note 7.7, 0.1, 72
; Wind: noise through a filter that oscillates nearly, moved by the slow oscillator.
Set 10, 0, "D13"
Set 10, 0, "N11"
Set 10, 1, "H7"
Set 10, 1, "N6"
Set 10, 1, "B10"
Set 10, 1, "G10"
Set 10, 0.95, "response"
Set 10, 700, "cutoff"
Set 10, 0.25, "frequency3"
Set 10, 0.3, "ramp3"
; A siren, faster and faster.
Set 15, 0, "H7"
Set 15, 0, "N6"
Set 15, 1, "I6"
Set 15, 1, "B1"
Set 15, 1, "G1"
Set 15, 1, "frequency3"
Set 16, 3, "frequency3"
Set 17, 9, "frequency3"
Set 18, 40, "frequency3"
Set 19, 0, "B1"
Set 19, 0, "G1"
event_i "e", 0, 20
#end
</CsInstruments>
<CsScore>
i 9 0 z
i 10 0 z
</CsScore>
</CsoundSynthesizer>
