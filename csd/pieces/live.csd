<CsoundSynthesizer>
<CsInstruments>
; Live: a set as if it were typed on stage. A clock that calls instruments by name, rhythms worked
; out in strings and arrays, busses by channel and by zak, effects that are always on, a line that
; re-initialises itself each bar, and an instrument that is replaced while the music plays.
;   csound csd/pieces/live.csd -odac

sr = 48000
ksmps = 32
nchnls = 2
0dbfs = 1

seed 128
zakinit 4, 8

#define BPM #124#
#define BEAT #(60 / $BPM)#

gisine ftgen 0, 0, 4096, 10, 1
gishape ftgen 0, 0, 257, 13, 1, 1, 0, 5, 0, 3, 0, 1 ; Chebyshev

gSscene init "intro"

chnset 0.4, "echo.feedback"
chnset $BEAT * 0.75, "echo.time"
chnset 0, "fader"

// ------------------------------------------------------------- patterns

; Euclid: ihits as even as they go in isteps, as a string of x and .
opcode Euclid, S, iip
  ihits, isteps, ishift xin
  Spattern = ""
  istep = 0
  while istep < isteps do
    iplace = (istep + ishift) * ihits % isteps
    if iplace < ihits then
      Spattern strcat Spattern, "x"
    else
      Spattern strcat Spattern, "."
    endif
    istep += 1
  od
  xout Spattern
endop

; Whether step kstep of a pattern is a hit.
opcode Hit, k, Sk
  Spattern, kstep xin
  klength strlenk Spattern
  Sone strsubk Spattern, kstep % klength, kstep % klength + 1
  kequal strcmpk Sone, "x"
  xout kequal == 0 ? 1 : 0
endop

; A degree of the minor scale of A as frequency.
opcode Degree, k, k
  kdegree xin
  kscale[] fillarray 0, 2, 3, 5, 7, 8, 10
  koctave = floor(kdegree / 7)
  xout cpsmidinn(45 + kscale[kdegree - 7 * koctave] + 12 * koctave)
endop

// ------------------------------------------------------------- the clock

instr Clock
  Skick Euclid 4, 16
  Shat Euclid 7, 16, 2
  Sclap = "....x.......x..x"
  Sstab sprintf "%s%s", Euclid(3, 8), Euclid(5, 8)
  ktick metro 4 / $BEAT
  kstep init -1

  if ktick == 0 kgoto Done
  kstep += 1
  kbar = int(kstep / 16)
  Sscene strcpyk kbar < 4 ? "intro" : kbar < 8 ? "verse" : \
                 kbar < 10 ? "break" : kbar < 14 ? "chorus" : "end"
  gSscene strcpyk Sscene
  kintro strcmpk Sscene, "intro"
  kbreak strcmpk Sscene, "break"
  kend strcmpk Sscene, "end"
  kdrums = kbreak == 0 || kend == 0 ? 0 : 1

  if kdrums == 1 && Hit(Skick, kstep) == 1 then
    schedulek "Kick", 0, 0.35, -5
  endif
  if kdrums == 1 && Hit(Shat, kstep) == 1 then
    schedulek "Hat", 0, kstep % 4 == 2 ? 0.25 : 0.07, -22 + 3 * (kstep % 2)
  endif
  if kintro != 0 && kdrums == 1 && Hit(Sclap, kstep) == 1 then
    schedulek "Clap", 0, 0.3, -16
  endif
  if kend != 0 && Hit(Sstab, kstep) == 1 then
    ; a chord: three notes, the root walks with the bars
    kroot = kbar % 4 == 0 ? 7 : kbar % 4 == 1 ? 5 : kbar % 4 == 2 ? 9 : 6
    kvoice = 0
    until kvoice > 2 do
      schedulek "Stab", 0, $BEAT * 0.4, -19, Degree(kroot + 2 * kvoice), kvoice / 2
      kvoice += 1
    od
  endif
  if kstep % 16 == 15 && kbar % 4 == 3 then
    kroll = 1
    while kroll <= 4 do
      event "i", "Clap", kroll * $BEAT / 16, 0.1, -26 + 2 * kroll
      kroll += 1
    od
  endif
  if kstep == 128 then
    event "i", "Rewrite", 0, 1
  endif
  kinbar = kstep % 16
  chnset kinbar, "step"
Done:
endin

// ------------------------------------------------------------- sounds

instr Kick
  kpitch expseg 190, 0.03, 70, 0.2, 44, 1, 40
  akick poscil expsegr:a(1, p3, 0.01, 0.05, 0.001), kpitch
  akick distort akick * 0.8, 0.4, gishape
  akick dcblock akick
  akick = akick * ampdbfs(p4) * linseg:a(1, p3 - 0.02, 1, 0.02, 0)
  zawm akick, 0
  chnset rms(akick), "duck"
endin

instr Hat
  anoise noise 1, -0.4
  ametal = anoise * 0.4
  kratios[] fillarray 1, 1.342, 1.2312, 1.6532, 1.9523, 2.1523
  kmember = 0
  ametal += poscil:a(0.2, 3420) * poscil:a(1, 5123) + vco2:a(0.2, 4611, 10)
  while kmember < lenarray(kratios) do
    ametal += 0.02 * randh:k(1, 9000 * kratios[kmember])
    kmember += 1
  od
  ahat butterhp ametal, 7000
  ahat *= expon:a(1, p3, 0.001) * ampdbfs(p4)
  zawm ahat, 1
endin

instr Clap
  anoise rand 1, 0.05 + 0.9 * frac(p2)
  aclap reson anoise, 1300, 900, 1
  klaps linseg 1, 0.01, 0, 0, 1, 0.01, 0, 0, 1, 0.012, 0.2, 0, 1, p3, 0
  aclap *= a(klaps * klaps) * ampdbfs(p4) * linseg:a(1, p3 - 0.01, 1, 0.01, 0)
  zawm aclap, 1
  chnmix aclap * 0.4, "echo"
endin

; p4 dBFS, p5 frequency, p6 place
instr Stab
  kcutoff expseg 400, 0.02, 5200, p3, 500
  asaw vco2 0.5, p5
  asaw += vco2(0.5, p5 * 1.006)
  astab lpf18 asaw, kcutoff, 0.4, 0.3
  astab *= ampdbfs(p4) * linsegr:a(0, 0.005, 1, p3, 0.5, 0.12, 0)
  aleft, aright pan2 astab, 0.2 + 0.6 * p6
  chnmix aleft, "left"
  chnmix aright, "right"
  chnmix astab * 0.5, "echo"
endin

; Bass: each bar it throws its dice again, by reinit.
instr Bass
  kstep chnget "step"
  kwrapped trigger kstep, 8, 1
  if kwrapped == 1 then
    reinit Throw
  endif
Throw:
  inotes[] init 8
  inote = 0
  while inote < 8 do
    idice random 0, 1
    inotes[inote] = idice < 0.55 ? 0 : idice < 0.7 ? 4 : idice < 0.8 ? 7 : idice < 0.9 ? 6 : -1
    inote += 1
  od
  inotes[0] = 0
  iopen random 300, 1400
rireturn
  knotes[] = inotes
  kdegree = knotes[int(kstep / 2) % 8]
  kcps portk Degree(kdegree), 0.015, 55
  kon changed kstep
  kgate init 0
  if kon == 1 then
    kgate = kdegree < 0 ? 0 : 1
  else
    kgate *= 1 - 4 / kr
  endif
  asub vco2 0.6, kcps, 2, 0.5 + 0.3 * lfo:k(1, 0.21)
  abass moogladder dcblock(asub), 120 + iopen * kgate * kgate, 0.45
  kmute strcmpk gSscene, "end"
  kmuted portk (kmute == 0 ? 0 : 1), 0.1, 0
  zawm abass * a(kgate) * kmuted * ampdbfs(-9), 2
endin

; The lead: an arpeggio that is text.
instr Lead
  Sline = "7 9 11 14 13 11 9 11 7 9 12 14 16 14 12 9 "
  kword init 0
  kfrom init 0
  ktick metro 2 / $BEAT
  if ktick == 1 then
    Srest strsubk Sline, kfrom, -1
    kspace strindexk Srest, " "
    Sword strsubk Srest, 0, kspace
    kdegree strtodk Sword
    schedulek "Pluck", 0, 0.5, -17, Degree(kdegree + 7), frac(kword * 0.382)
    kword += 1
    kfrom += kspace + 1
    klength strlenk Sline
    if kfrom >= klength then
      kfrom = 0
    endif
  endif
endin

instr Pluck
  apluck pluck 1, p5, p5, 0, 1
  apluck tone apluck, 4500
  apluck *= ampdbfs(p4) * linsegr:a(1, p3, 0.6, 0.2, 0)
  aleft, aright pan2 apluck, p6
  chnmix aleft, "left"
  chnmix aright, "right"
  chnmix apluck, "echo"
endin

// Typed when the break begins: the lead plucks something else, and the echo is longer.
instr Rewrite
  icode compilestr {{
    instr Pluck
      ; two operators instead of a string
      kindex expon 5, p3, 0.3
      apluck foscili 1, p5, 1, 2.002, kindex, gisine
      apluck *= ampdbfs(p4) * linsegr:a(0, 0.004, 1, p3, 0.1, 0.2, 0)
      aleft, aright pan2 apluck, p6
      chnmix aleft, "left"
      chnmix aright, "right"
      chnmix apluck, "echo"
    endin
  }}
  ifeedback evalstr "return 0.3 + 0.25"
  chnset ifeedback, "echo.feedback"
  turnoff
endin

// ------------------------------------------------------------- effects, always on

instr Echo
  ain chnget "echo"
  kfeedback chnget "echo.feedback"
  ktime chnget "echo.time"
  atime interp portk(ktime, 0.2, i(ktime))
  aback init 0
  adelayed vdelayx ain + aback * port(kfeedback, 0.1), atime, 2, 16
  aback butterlp adelayed, 3000
  aright delay adelayed, 0.021
  chnmix adelayed * 0.6, "left"
  chnmix aright * 0.6, "right"
  chnclear "echo"
endin

instr Mixer
  akick zar 0
  atops zar 1
  abass zar 2
  kduck chnget "duck"
  kducked = 1 - 0.6 * limit(portk(kduck, 0.04) * 4, 0, 1)
  ksilent = 0
  chnset ksilent, "duck"
  aleft dcblock2 chnget:a("left")
  aright dcblock2 chnget:a("right")
  afrom[] init 2
  afrom[0] = (aleft + abass) * kducked + akick + atops * 0.8
  afrom[1] = (aright + abass) * kducked + akick + atops
  kfader linseg 1, p3 - 1.5, 1, 1.5, 0
  kchannel = 0
loop:
  asum = afrom[kchannel]
  alimited = tanh(asum * 1.4)
  afrom[kchannel] = alimited * 0.8 * kfader
  loop_lt kchannel, 1, 2, loop
  out afrom
  zacl 0, 3
  chnclear "left"
  chnclear "right"
endin

; The set: fifteen bars, and the end of the echo.
schedule "Clock", 0, $BEAT * 4 * 15
schedule "Bass", 0, $BEAT * 4 * 15
schedule "Lead", $BEAT * 4 * 4, $BEAT * 4 * 10
schedule "Echo", 0, $BEAT * 4 * 16 + 2
schedule "Mixer", 0, $BEAT * 4 * 16 + 2
event_i "e", 0, $BEAT * 4 * 16 + 2
</CsInstruments>
<CsScore>
f 0 z
</CsScore>
</CsoundSynthesizer>
