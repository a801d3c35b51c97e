<CsoundSynthesizer>
<CsInstruments>
; A tonewheel organ: two manuals, pedals, drawbars, percussion, vibrato and chorus, a rotary speaker.
;   ./opcodekit play organ --panel
;   csound --opcode-lib=./build/libopcodes.so csd/instruments/organ.csd -odac -Ma
;   ./opcodekit render csd/instruments/organ.csd --omacro DEMO=1 -o organ.wav
; Keys come from the panel and from score events, whose p4 is the MIDI note (instr 1 the upper manual, 2 the
; lower, 3 the pedals), and from MIDI, channels 1, 2 and 3. Controllers are those of the free organ setBfree:
; 70 to 78 the drawbars of the channel's manual, pushed in at 127 (70 and 72 those of the pedals); on any
; channel 1 the speaker, slow, stop and fast, 80 to 83 percussion on, soft, fast and second harmonic, 92
; the vibrato knob, 31 and 30 vibrato of the upper and the lower manual, 65 overdrive, 11 swell.

sr = 48000
ksmps = 32
nchnls = 2
0dbfs = 1

; Programs choose presets of the panel, not instruments.
pgmassign 0, -1
massign 0, 0
massign 1, 1
massign 2, 2
massign 3, 3

; ---- The controls

chn_k "upper16", 1, 2, 8, 0, 8
chn_k "upper513", 1, 2, 8, 0, 8
chn_k "upper8", 1, 2, 8, 0, 8
chn_k "upper4", 1, 2, 0, 0, 8
chn_k "upper223", 1, 2, 0, 0, 8
chn_k "upper2", 1, 2, 0, 0, 8
chn_k "upper135", 1, 2, 0, 0, 8
chn_k "upper113", 1, 2, 0, 0, 8
chn_k "upper1", 1, 2, 0, 0, 8
chn_k "lower16", 1, 2, 8, 0, 8
chn_k "lower513", 1, 2, 3, 0, 8
chn_k "lower8", 1, 2, 8, 0, 8
chn_k "lower4", 1, 2, 0, 0, 8
chn_k "lower223", 1, 2, 0, 0, 8
chn_k "lower2", 1, 2, 0, 0, 8
chn_k "lower135", 1, 2, 0, 0, 8
chn_k "lower113", 1, 2, 0, 0, 8
chn_k "lower1", 1, 2, 0, 0, 8
chn_k "pedal16", 1, 2, 8, 0, 8
chn_k "pedal8", 1, 2, 4, 0, 8
chn_k "percussion", 1, 1, 1, 0, 1
chn_k "percussionSoft", 1, 1, 0, 0, 1
chn_k "percussionFast", 1, 1, 1, 0, 1
chn_k "percussionThird", 1, 1, 1, 0, 1
chn_k "vibrato", 1, 1, 6, 1, 6
chn_k "vibratoUpper", 1, 1, 1, 0, 1
chn_k "vibratoLower", 1, 1, 0, 0, 1
chn_k "speaker", 1, 1, 1, 0, 2
chn_k "drive", 1, 2, 0.35, 0, 1
chn_k "cabinet", 1, 2, 1, 0, 2
chn_k "swell", 1, 2, 0.8, 0, 1
chn_k "sustain", 1, 1, 0, 0, 1
chn_k "click", 1, 2, 1, 0, 1
chn_k "leakage", 1, 2, 1, 0, 10

; What they begin with where nobody sets them: no panel, no chnset.
chnset 8, "upper16"
chnset 8, "upper513"
chnset 8, "upper8"
chnset 8, "lower16"
chnset 3, "lower513"
chnset 8, "lower8"
chnset 8, "pedal16"
chnset 4, "pedal8"
chnset 1, "percussion"
chnset 1, "percussionFast"
chnset 1, "percussionThird"
chnset 6, "vibrato"
chnset 1, "vibratoUpper"
chnset 1, "speaker"
chnset 0.35, "drive"
chnset 1, "cabinet"
chnset 0.8, "swell"
chnset 1, "click"
chnset 1, "leakage"

; ---- Keys

; The keys that are held: MIDI notes of the upper manual, of the lower + 128, of the pedals + 256. Notes
; write theirs in each k-cycle, the organ behind them reads and clears them, so that no key can hang.
gikeys ftgen 1, 0, -384, -2, 0
gidrawbars ftgen 2, 0, -20, -2, 0
ginone ftgen 3, 0, -384, -2, 0
; What the sustain switch has held.
gisustained ftgen 4, 0, -384, -2, 0
; With -j Csound puts instruments in order by the global variables they share, not by tables: each key sets
; this one, and the organ reads it behind them.
gkstruck init 0

opcode Key, 0, ii
  inote, imanual xin
  tablew k(1), inote + 128 * imanual, gikeys
endop

instr 1
  midinoteonkey p4, p5
  Key p4, 0
  gkstruck = p4
endin

instr 2
  midinoteonkey p4, p5
  Key p4, 1
  gkstruck = p4
endin

instr 3
  midinoteonkey p4, p5
  Key p4, 2
  gkstruck = p4
endin

; ---- MIDI controllers

opcode Switch, 0, kkkS
  kcontroller, kvalue, knumber, Schannel xin
  if kcontroller == knumber then
    chnset kvalue > 63 ? 1 : 0, Schannel
  endif
endop

opcode Drawbar, 0, kkkkkS
  kchannel, kcontroller, kvalue, kmanual, knumber, Schannel xin
  if kchannel == kmanual && kcontroller == knumber then
    chnset 8 * (127 - kvalue) / 127, Schannel
  endif
endop

instr 9
  kmore = 1
  while kmore == 1 do
    kstatus, kchannel, kcontroller, kvalue midiin
    kmore = kstatus == 0 ? 0 : 1
    if kstatus == 176 then
      Drawbar kchannel, kcontroller, kvalue, 1, 70, "upper16"
      Drawbar kchannel, kcontroller, kvalue, 1, 71, "upper513"
      Drawbar kchannel, kcontroller, kvalue, 1, 72, "upper8"
      Drawbar kchannel, kcontroller, kvalue, 1, 73, "upper4"
      Drawbar kchannel, kcontroller, kvalue, 1, 74, "upper223"
      Drawbar kchannel, kcontroller, kvalue, 1, 75, "upper2"
      Drawbar kchannel, kcontroller, kvalue, 1, 76, "upper135"
      Drawbar kchannel, kcontroller, kvalue, 1, 77, "upper113"
      Drawbar kchannel, kcontroller, kvalue, 1, 78, "upper1"
      Drawbar kchannel, kcontroller, kvalue, 2, 70, "lower16"
      Drawbar kchannel, kcontroller, kvalue, 2, 71, "lower513"
      Drawbar kchannel, kcontroller, kvalue, 2, 72, "lower8"
      Drawbar kchannel, kcontroller, kvalue, 2, 73, "lower4"
      Drawbar kchannel, kcontroller, kvalue, 2, 74, "lower223"
      Drawbar kchannel, kcontroller, kvalue, 2, 75, "lower2"
      Drawbar kchannel, kcontroller, kvalue, 2, 76, "lower135"
      Drawbar kchannel, kcontroller, kvalue, 2, 77, "lower113"
      Drawbar kchannel, kcontroller, kvalue, 2, 78, "lower1"
      Drawbar kchannel, kcontroller, kvalue, 3, 70, "pedal16"
      Drawbar kchannel, kcontroller, kvalue, 3, 72, "pedal8"
      Switch kcontroller, kvalue, 80, "percussion"
      Switch kcontroller, kvalue, 81, "percussionSoft"
      Switch kcontroller, kvalue, 82, "percussionFast"
      Switch kcontroller, 127 - kvalue, 83, "percussionThird"
      Switch kcontroller, kvalue, 31, "vibratoUpper"
      Switch kcontroller, kvalue, 30, "vibratoLower"
      if kcontroller == 1 then
        chnset kvalue < 43 ? 1 : (kvalue < 86 ? 0 : 2), "speaker"
      elseif kcontroller == 92 then
        chnset 1 + int(kvalue * 6 / 128), "vibrato"
      elseif kcontroller == 65 then
        chnset kvalue / 127, "drive"
      elseif kcontroller == 11 then
        chnset kvalue / 127, "swell"
      endif
    endif
  od
endin

; ---- The organ

; A switch as a gain that goes from 0 to 1 and back without a corner: those click.
opcode Fade, a, S
  Schannel xin
  ivalue chnget Schannel
  kvalue port chnget:k(Schannel), 0.005, ivalue
  kvalue port kvalue, 0.005, ivalue
  xout interp(kvalue, 0, 1)
endop

instr 10
  klast = gkstruck
  tablew chnget:k("upper16"), 0, gidrawbars
  tablew chnget:k("upper513"), 1, gidrawbars
  tablew chnget:k("upper8"), 2, gidrawbars
  tablew chnget:k("upper4"), 3, gidrawbars
  tablew chnget:k("upper223"), 4, gidrawbars
  tablew chnget:k("upper2"), 5, gidrawbars
  tablew chnget:k("upper135"), 6, gidrawbars
  tablew chnget:k("upper113"), 7, gidrawbars
  tablew chnget:k("upper1"), 8, gidrawbars
  tablew chnget:k("lower16"), 9, gidrawbars
  tablew chnget:k("lower513"), 10, gidrawbars
  tablew chnget:k("lower8"), 11, gidrawbars
  tablew chnget:k("lower4"), 12, gidrawbars
  tablew chnget:k("lower223"), 13, gidrawbars
  tablew chnget:k("lower2"), 14, gidrawbars
  tablew chnget:k("lower135"), 15, gidrawbars
  tablew chnget:k("lower113"), 16, gidrawbars
  tablew chnget:k("lower1"), 17, gidrawbars
  tablew chnget:k("pedal16"), 18, gidrawbars
  tablew chnget:k("pedal8"), 19, gidrawbars

  if chnget:k("sustain") > 0 then
    tablemix gisustained, 0, 384, gisustained, 0, 1, gikeys, 0, 1
    tablecopy gikeys, gisustained
  else
    tablecopy gisustained, ginone
  endif
  kharmonic = chnget:k("percussion") * (2 + chnget:k("percussionThird"))
  aupper, alower, apedals, apercussion TONEWHEELS gikeys, gidrawbars, kharmonic, chnget:k("percussionSoft"), chnget:k("percussionFast"), chnget:k("click"), chnget:k("leakage")
  tablecopy gikeys, ginone

  avibrato = Fade("vibratoUpper") * aupper + Fade("vibratoLower") * alower
  ascanned SCANNER avibrato, chnget:k("vibrato")
  asum = ascanned - avibrato + aupper + alower + apedals + apercussion
  kswell = port:k(chnget:k("swell") ^ 2, 0.02)
  aleft, aright ROTARY asum * kswell, chnget:k("speaker"), port:k(chnget:k("drive"), 0.02), chnget:k("cabinet")
  ; With all drawbars and the swell open, a key and a chord are as loud as setBfree's.
  out 0.7 * aleft, 0.7 * aright
endin

; ---- Sixteen seconds of it, by itself, where DEMO is defined

#ifdef DEMO
instr 11
  chnset p4, strget(p5)
endin

opcode Chord, 0, iiiiiii
  imanual, istart, ilength, i1, i2, i3, i4 xin
  schedule imanual, istart, ilength, i1, 100
  schedule imanual, istart, ilength, i2, 100
  schedule imanual, istart, ilength, i3, 100
  schedule imanual, istart, ilength, i4, 100
endop

; A line of the upper manual over chords and a walking bass.
giline[] fillarray 74, 77, 76, 72, 74, 69, 72, 70, 69, 65, 67, 69, 70, 74, 77, 81, 79, 77, 76, 74, 77, 82, 84, 86
inote = 0
while inote < lenarray(giline) do
  schedule 1, inote * 0.33, inote % 3 == 2 ? 0.16 : 0.29, giline[inote], 100
  inote += 1
od
Chord 2, 0, 1.9, 53, 57, 60, 64
Chord 2, 2, 1.9, 53, 56, 58, 62
Chord 2, 4, 1.9, 53, 57, 60, 63
Chord 2, 6, 1.9, 50, 53, 58, 62
gibass[] fillarray 38, 41, 45, 42, 43, 46, 50, 47, 48, 45, 41, 39, 46, 41, 38, 48
inote = 0
while inote < lenarray(gibass) do
  schedule 3, inote * 0.5, 0.45, gibass[inote], 100
  inote += 1
od
; Then all drawbars, and the speaker goes up and down.
schedule 11, 8, 0.1, 8, "upper4"
schedule 11, 8.1, 0.1, 8, "upper223"
schedule 11, 8.2, 0.1, 8, "upper2"
schedule 11, 8.3, 0.1, 8, "upper135"
schedule 11, 8.4, 0.1, 8, "upper113"
schedule 11, 8.5, 0.1, 8, "upper1"
schedule 11, 9, 0.1, 2, "speaker"
schedule 11, 12.5, 0.1, 1, "speaker"
Chord 1, 8, 6.5, 53, 60, 69, 77
schedule 3, 8, 6.5, 41, 100
event_i "e", 0, 16
#end
</CsInstruments>
<CsScore>
i 9 0 z
i 10 0 z
</CsScore>
</CsoundSynthesizer>
