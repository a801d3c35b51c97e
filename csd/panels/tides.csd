<CsoundSynthesizer>
<CsInstruments>
; Filtered noise, no panel of its own: the channels that it declares are its controls.
;   ./opcodekit play csd/panels/tides.csd --panel

sr = 48000
ksmps = 32
nchnls = 2
0dbfs = 1

chn_k "height", 1, 2, 0.5, 0, 1
chn_k "period", 1, 3, 9, 1, 60
chn_k "stones", 1, 2, 0.3, 0, 1
chn_k "voices", 1, 1, 3, 1, 8
chn_k "water", 2, 2, 0, 0, 1

instr 1
  kperiod chnget "period"
  kwater = 0.5 + 0.5 * oscili(1, 1 / limit(kperiod, 1, 60))
  kheight chnget "height"
  kstones chnget "stones"
  kvoices chnget "voices"
  anoise noise 0.5, 0.4
  asurf PHASER anoise, 400 + 2500 * kwater * kheight, limit(kvoices, 1, 8), 0.6
  ahigh, alow, astones, areject STATEVAR anoise, 3000 + 2000 * kwater, 9
  asea = asurf * (0.1 + kwater * kheight) + astones * kstones * kwater * 0.2
  aleft, aright FREEVERB asea, asea, 0.7, 0.6
  out asea * 0.4 + aleft * 0.3, asea * 0.4 + aright * 0.3
  chnset kwater, "water"
endin
</CsInstruments>
<CsScore>
i 1 0 z
</CsScore>
</CsoundSynthesizer>
