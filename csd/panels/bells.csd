<CsoundSynthesizer>
<CsInstruments>
; Bells that fall where a button or a clock lets them, their panel in FLTK's opcodes, which Csound as Debian has
; it does not know: the panel knows them.
;   ./opcodekit play csd/panels/bells.csd --panel

sr = 48000
ksmps = 32
nchnls = 2
0dbfs = 1

FLcolor 236, 239, 232, 90, 130, 90
FLpanel "Bells", 420, 300
  giheading FLbox "Bells", 1, 1, 18, 400, 26, 10, 8
  girate FLvalue "", 60, 20, 350, 50
  gkrate, gihrate FLslider "Strokes a second", 0.1, 10, -1, 1, girate, 330, 24, 10, 48
  gkbright, gihbright FLslider "Brightness", 0, 8, 0, 1, -1, 400, 24, 10, 84
  gkdecay, gihdecay FLknob "Decay", 0.2, 8, -1, 1, -1, 60, 20, 130
  gkspread, gihspread FLknob "Spread", 0, 1, 0, 1, -1, 60, 110, 130
  gkroot, gihroot FLcount "Root", 36, 72, 1, 12, 1, 120, 26, 200, 140, -1
  gkscale, gihscale FLbutBank 2, 4, 1, 180, 26, 200, 190, -1
  gkclock, gihclock FLbutton "Clock", 1, 0, 3, 90, 26, 20, 240, -1
  gkstrike, gihstrike FLbutton "Strike", 1, 0, 1, 90, 26, 120, 240, 0, 2, 0, 0.1
FLpanelEnd
FLsetVal_i 1.5, gihrate
FLsetVal_i 3, gihbright
FLsetVal_i 3, gihdecay
FLsetVal_i 0.6, gihspread
FLsetVal_i 48, gihroot
FLsetVal_i 1, gihclock
FLrun

galeft init 0
garight init 0
gifive ftgen 0, 0, -5, -2, 0, 2, 4, 7, 9
giminor ftgen 0, 0, -5, -2, 0, 3, 5, 7, 10
giwhole ftgen 0, 0, -5, -2, 0, 2, 4, 6, 8
gifourths ftgen 0, 0, -5, -2, 0, 5, 10, 15, 20

instr 1
  if gkclock == 1 && metro(gkrate) == 1 then
    event "i", 2, 0, 0.1
  endif
endin

instr 2
  iscale = int(i(gkscale))
  itable = iscale == 0 ? gifive : (iscale == 1 ? giminor : (iscale == 2 ? giwhole : gifourths))
  inote = i(gkroot) + table(int(random(0, 5)), itable) + 12 * int(random(0, 3))
  iwhere = 0.5 + i(gkspread) * random(-0.5, 0.5)
  idecay = i(gkdecay)
  schedule 3, 0, idecay, inote, iwhere, i(gkbright)
endin

instr 3
  kenvelope expseg 1, p3, 0.001
  asound foscili 0.12 * kenvelope, cpsmidinn(p4), 1, 3.5, p6 * kenvelope
  galeft += asound * sqrt(1 - p5)
  garight += asound * sqrt(p5)
endin

instr 10
  aleft, aright REVERBSC galeft, garight, 0.85, 9000
  out galeft + 0.4 * aleft, garight + 0.4 * aright
  galeft = 0
  garight = 0
endin
</CsInstruments>
<CsScore>
i 1 0 z
i 10 0 z
</CsScore>
</CsoundSynthesizer>
