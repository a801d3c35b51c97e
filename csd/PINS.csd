<CsoundSynthesizer>
<CsInstruments>
; Sixteen oscillators on the rows of a pin matrix, whose pins wander.
;   csound --opcode-lib=./build/libopcodes.so csd/PINS.csd -odac
; Every macro can be set from outside: --omacro:PINS=200 sets more pins, --omacro:OPCODE=PinsUDO adds the
; same signals in Csound's own language.

sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

#ifndef OPCODE
#define OPCODE #PINS#
#end
#ifndef DURATION
#define DURATION #8#
#end
; The signals of the rows: Sine, Noise, Burst or Input (the sound card, or a file the harness feeds).
#ifndef SIGNAL
#define SIGNAL #Sine#
#end
#ifndef LEVEL
#define LEVEL #0.1#
#end
; How many pins there are, and how many places a second each moves on.
#ifndef PINS
#define PINS #12#
#end
#ifndef WANDER
#define WANDER #3#
#end
; How far a pin's resistor is off, and what a column is clamped to.
#ifndef TOLERANCE
#define TOLERANCE #0.05#
#end
#ifndef LIMIT
#define LIMIT #0#
#end

gipins ftgen 1, 0, -256, -2, 0

opcode Sine, a, i
  irow xin
  asine poscil $LEVEL, 55 * irow
  xout asine
endop

opcode Noise, a, i
  ichannel xin
  anoise rand $LEVEL, 0.5 / ichannel, 1
  xout anoise
endop

opcode Burst, a, i
  ichannel xin
  anoise rand $LEVEL, 0.5 / ichannel, 1
  aenvelope linseg 1, 0.1, 1, 0, 0, 1, 0
  xout anoise * aenvelope
endop

opcode Input, a, i
  ichannel xin
  ainput inch 1
  xout ainput / ichannel
endop

; The same, looked up in every k-cycle.
opcode PinsUDO, a[], a[]iikk
  arows[], ipins, icolumns, ktolerance, klimit xin
  acolumns[] init icolumns
  irows lenarray arows
  kcolumn = 0
  while kcolumn < icolumns do
    asum = 0
    krow = 0
    while krow < irows do
      kplace = krow * icolumns + kcolumn
      kpin tab kplace, ipins
      if kpin != 0 then
        kerror = 2 * frac(0.6180339887498949 * (kplace + 1)) - 1
        asum = asum + kpin * (1 + ktolerance * kerror) * arows[krow]
      endif
      krow += 1
    od
    if klimit > 0 then
      asum limit asum, -klimit, klimit
    endif
    acolumns[kcolumn] = asum
    kcolumn += 1
  od
  xout acolumns
endop

instr 1
  arows[] init 16
  arows[0] $SIGNAL 1
  arows[1] $SIGNAL 2
  arows[2] $SIGNAL 3
  arows[3] $SIGNAL 4
  arows[4] $SIGNAL 5
  arows[5] $SIGNAL 6
  arows[6] $SIGNAL 7
  arows[7] $SIGNAL 8
  arows[8] $SIGNAL 9
  arows[9] $SIGNAL 10
  arows[10] $SIGNAL 11
  arows[11] $SIGNAL 12
  arows[12] $SIGNAL 13
  arows[13] $SIGNAL 14
  arows[14] $SIGNAL 15
  arows[15] $SIGNAL 16
  ; The pins, white and green ones, each on its way.
  kstep init -1
  know = int($WANDER * timeinsts())
  if know != kstep then
    kstep = know
    kplace = 0
    while kplace < 256 do
      tablew 0, kplace, gipins
      kplace += 1
    od
    kpin = 0
    while kpin < $PINS do
      tablew kpin % 3 == 2 ? 0.04 : 1, (kpin * (37 + 16 * kstep) + 5 * kstep) % 256, gipins
      kpin += 1
    od
  endif
  acolumns[] init 16
#ifndef EMPTY
  acolumns $OPCODE arows, gipins, 16, $TOLERANCE, $LIMIT
#end
  aout = 0
  kcolumn = 0
  while kcolumn < 16 do
    aout = aout + (1 - 0.05 * kcolumn) * acolumns[kcolumn]
    kcolumn += 1
  od
#ifndef MUTED
  outch p4, aout
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
