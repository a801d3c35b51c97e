<CsoundSynthesizer>
<CsInstruments>
; A chord whose colour wanders over an XY pad with a waveform at each corner.
;   csound --opcode-lib=./build/libopcodes.so csd/MORPH.csd -odac
; Every macro can be set from outside: --omacro:OPCODE=MorphUDO plays the same rule in Csound's own
; language.

sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

#ifndef OPCODE
#define OPCODE #MORPH#
#end
#ifndef DURATION
#define DURATION #6#
#end
#ifndef FREQUENCYSTART
#define FREQUENCYSTART #110#
#end
#ifndef FREQUENCYEND
#define FREQUENCYEND #$FREQUENCYSTART#
#end
; The place on the pad: Circle, Noise, Sweep (beyond the edges too) or Still at X and Y.
#ifndef PLACE
#define PLACE #Circle#
#end
#ifndef X
#define X #0.5#
#end
#ifndef Y
#define Y #0.5#
#end
; The lengths of the tables.
#ifndef SIZE
#define SIZE #4096#
#end
#ifndef OTHERSIZE
#define OTHERSIZE #$SIZE#
#end

; A sine, a bright saw, an organ's odd harmonics, a bell.
gisine ftgen 1, 0, $SIZE, -10, 1
gisaw ftgen 2, 0, $OTHERSIZE, -10, 1, -1/2, 1/3, -1/4, 1/5, -1/6, 1/7, -1/8, 1/9, -1/10, 1/11, -1/12
giodd ftgen 3, 0, $SIZE, -10, 1, 0, 1/3, 0, 1/5, 0, 1/7, 0, 1/9
gibell ftgen 4, 0, $OTHERSIZE, -10, 0.5, 0, 0, 0.5, 0, 0, 0, 0, 0.3, 0, 0, 0, 0, 0.2

opcode Circle, kk, i
  ichannel xin
  kangle line 0, 1, 1.1 * ichannel
  xout 0.5 + 0.5 * cos(kangle), 0.5 + 0.5 * sin(kangle)
endop

opcode Noise, kk, i
  ichannel xin
  kx randi 0.5, 20, 0.3 / ichannel, 1, 0.5
  ky randi 0.5, 30, 0.7 / ichannel, 1, 0.5
  xout kx, ky
endop

opcode Sweep, kk, i
  ichannel xin
  kx line -0.5, p3, 1.5
  ky line 2, p3, -1
  xout kx, ky
endop

opcode Still, kk, i
  ichannel xin
  kx = $X
  ky = $Y
  xout kx, ky
endop

; The same rule with Csound's own opcodes.
opcode MorphUDO, a, kkkkiiii
  kamp, kfrequency, kx, ky, if1, if2, if3, if4 xin
  kx limit kx, 0, 1
  ky limit ky, 0, 1
  aphase phasor kfrequency
  a1 tablei aphase, if1, 1
  a2 tablei aphase, if2, 1
  a3 tablei aphase, if3, 1
  a4 tablei aphase, if4, 1
  xout kamp * ((1 - ky) * ((1 - kx) * a1 + kx * a2) + ky * ((1 - kx) * a3 + kx * a4))
endop

instr 1
  kx, ky $PLACE p4
  kmiddle expseg $FREQUENCYSTART, p3, $FREQUENCYEND
  kfrequency = kmiddle * p4 * p5
  asound init 0
#ifndef EMPTY
  asound $OPCODE 0.2, kfrequency, kx, ky, 1, 2, 3, 4
#end
#ifndef MUTED
  outch p4, asound
#end
endin

; A chord for each output channel; ONENOTE leaves one note of it.
ichannel = 1
while ichannel <= nchnls do
  schedule 1, 0, $DURATION, ichannel, 1
#ifndef ONENOTE
  schedule 1, 0, $DURATION, ichannel, 1.5
  schedule 1, 0, $DURATION, ichannel, 2.5
#end
  ichannel += 1
od
event_i "e", 0, $DURATION
</CsInstruments>
<CsScore>
f 0 z
</CsScore>
</CsoundSynthesizer>
