<CsoundSynthesizer>
<CsInstruments>
; A chord on a tonewheel organ: TONEWHEELS reads the keys from a table that the notes write.
;   csound --opcode-lib=./build/libopcodes.so csd/TONEWHEELS.csd -odac
; Every macro can be set from outside: --omacro:OPCODE=tonewheels_poscil3 plays an oscillator for each
; contact that is closed, as organs made of Csound's own opcodes do.

sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

#ifndef OPCODE
#define OPCODE #TONEWHEELS#
#end
#ifndef DURATION
#define DURATION #4#
#end
; How many keys of the upper and the lower manual and of the pedals are held.
#ifndef UPPER
#define UPPER #4#
#end
#ifndef LOWER
#define LOWER #2#
#end
#ifndef PEDALS
#define PEDALS #1#
#end
; The percussion's harmonic, whether it is soft and fast; click and leakage.
#ifndef HARMONIC
#define HARMONIC #3#
#end
#ifndef SOFT
#define SOFT #0#
#end
#ifndef FAST
#define FAST #1#
#end
#ifndef CLICK
#define CLICK #1#
#end
#ifndef LEAKAGE
#define LEAKAGE #1#
#end

gikeys ftgen 1, 0, -384, -2, 0
gidrawbars ftgen 2, 0, -20, -2, 8, 8, 8, 4, 0, 3, 2, 1, 6, 8, 3, 8, 0, 2, 0, 0, 0, 1, 8, 5

; The keys that are held, low to high: a chord in fifths and thirds.
gichord[] fillarray 60, 64, 67, 72, 55, 76, 48, 79, 84, 43, 52, 88, 57, 69, 81, 45, 62, 74, 86, 50, 65, 77, 41, 53
inote = 0
while inote < $UPPER do
  tablew 1, gichord[inote % 24], gikeys
  inote += 1
od
inote = 0
while inote < $LOWER do
  tablew 1, gichord[inote % 24] - 5 + 128, gikeys
  inote += 1
od
inote = 0
while inote < $PEDALS do
  tablew 1, 36 + 7 * inote + 256, gikeys
  inote += 1
od

; Which wheel a key calls with a drawbar, 61 keys from C.
opcode Wheel, i, ii
  ikey, idrawbar xin
  isemitones[] fillarray -12, 7, 0, 12, 19, 24, 28, 31, 36
  iwheel = ikey + 13 + isemitones[idrawbar]
  while iwheel > 91 do
    iwheel -= 12
  od
  iwheel = iwheel < 13 ? iwheel + 12 : iwheel
  xout iwheel
endop

opcode Frequency, i, i
  iwheel xin
  idriving[] fillarray 85, 71, 67, 105, 103, 84, 74, 98, 96, 88, 67, 108
  idriven[] fillarray 104, 82, 73, 108, 100, 77, 64, 80, 74, 64, 46, 70
  inote = (iwheel - 1) % 12
  ioctave = int((iwheel - 1) / 12)
  iteeth = ioctave < 7 ? 2 ^ (ioctave + 1) : 192
  inote = ioctave < 7 ? inote : inote + 5
  xout 20 * iteeth * idriving[inote] / idriven[inote]
endop

; The wire's gain: how many keys lie at or above each of five steps.
gitaper ftgen 0, 0, -54, -2, -3, 12, 17, 24, 36, 48, -1, 15, 38, 50, 99, 99, -2, 17, 22, 37, 49, 99, -1, 17, 99, 99, 99, 99, 2, 14, 20, 40, 50, 99, 2, 12, 15, 41, 54, 99, 1, 14, 42, 50, 99, 99, 0, 43, 48, 99, 99, 99, 0, 43, 43, 99, 99, 99
opcode Taper, i, ii
  ikey, idrawbar xin
  istep = tab_i(6 * idrawbar, gitaper)
  isign = idrawbar < 4 ? 1 : -1
  icount = 1
  while icount <= 5 do
    istep += ikey >= tab_i(6 * idrawbar + icount, gitaper) ? isign : 0
    icount += 1
  od
  istep = idrawbar == 3 && ikey >= 39 ? -1 : istep
  xout istep == -3 ? 10 ^ -0.5 : 10 ^ (0.175 * istep)
endop

gisine ftgen 3, 0, 65536, 10, 1

; One contact: a wheel that is let through when the contact closes.
opcode Contact, a, iiii
  iwheel, iamplitude, inumber, iclick xin
  iwait = int(frac(0.6180339887498949 * inumber) * 0.003 * sr)
  iramp = max(1, (1 - iclick) * 0.005 * sr)
  awheel poscil3 iamplitude, Frequency(iwheel), gisine, frac(0.6180339887498949 * iwheel)
  acount line 0, 1, sr
  aclosing limit (acount - (iwait - 1)) / iramp, 0, 1
  xout awheel * aclosing
endop

opcode DrawbarGain, i, i
  isetting xin
  xout isetting == 0 ? 0 : 10 ^ (0.15 * (isetting - 8))
endop

; All contacts of the keys of a manual from inumber on: key * 9 + drawbar.
opcode Contacts, aa, iiiii
  imanual, inumber, iharmonic, isoft, iclick xin
  asum = 0
  apercussion = 0
  amore = 0
  amorepercussion = 0
  ikey = int(inumber / 9)
  while ikey < 61 && tab_i(128 * imanual + 36 + ikey, gikeys) == 0 do
    ikey += 1
  od
  inumber = max(inumber, 9 * ikey)
  if ikey < 61 then
    idrawbar = inumber % 9
    isenabled = iharmonic > 0 && imanual == 0 ? 1 : 0
    igain = DrawbarGain(tab_i(9 * imanual + idrawbar, gidrawbars))
    igain = isenabled == 1 && idrawbar == 8 ? 0 : igain
    inormal = isenabled == 1 && isoft == 0 ? 0.60512 : 1
    ipercussion = isenabled == 1 && idrawbar == iharmonic + 1 ? (isoft == 0 ? 3 * 0.60512 : 3 * 0.5012) : 0
    itaper = Taper(ikey, idrawbar) / 16
    if igain + ipercussion > 0 then
      acontact Contact Wheel(ikey, idrawbar), itaper, 549 * imanual + inumber, iclick
      asum = acontact * igain * inormal
      apercussion = acontact * ipercussion
    endif
    amore, amorepercussion Contacts imanual, inumber + 1, iharmonic, isoft, iclick
  endif
  xout asum + amore, apercussion + amorepercussion
endop

opcode PedalContacts, a, ii
  inumber, iclick xin
  asum = 0
  amore = 0
  ikey = int(inumber / 2)
  while ikey < 25 && tab_i(256 + 36 + ikey, gikeys) == 0 do
    ikey += 1
  od
  inumber = max(inumber, 2 * ikey)
  if ikey < 25 then
    asum Contact ikey + 1 + 12 * (inumber % 2), DrawbarGain(tab_i(18 + inumber % 2, gidrawbars)) / 16, 1098 + inumber, iclick
    amore PedalContacts inumber + 1, iclick
  endif
  xout asum + amore
endop

; The same from Csound's own opcodes, for keys that stay as they are at the start, without leakage.
opcode tonewheels_poscil3, aaaa, iiiiiip
  ikeys, idrawbars, iharmonic, isoft, ifast, iclick, ileakage xin
  aupper, apercussion Contacts 0, 0, iharmonic, isoft, iclick
  alower, anone Contacts 1, 0, 0, 0, iclick
  apedals PedalContacts 0, iclick
  aenvelope expseg 1, ifast == 1 ? 1 : 4, 0.001
  xout aupper, alower, apedals, apercussion * aenvelope
endop

instr 1
  aupper init 0
  alower init 0
  apedals init 0
  apercussion init 0
#ifndef EMPTY
  aupper, alower, apedals, apercussion $OPCODE gikeys, gidrawbars, $HARMONIC, $SOFT, $FAST, $CLICK, $LEAKAGE
#end
#ifndef MUTED
  outch p4, 0.3 * (aupper + alower + apedals + apercussion)
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
