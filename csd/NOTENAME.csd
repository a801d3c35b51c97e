<CsoundSynthesizer>
<CsInstruments>
; A tuner that sings: a pitch glides, NOTENAME says what note it is, and the named note sounds beside
; it. SHOW prints the names too.
;   csound --opcode-lib=./build/libopcodes.so csd/NOTENAME.csd -odac --omacro:SHOW=1
; Every macro can be set from outside: --omacro:OPCODE=mton plays Csound's own.

sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

#ifndef OPCODE
#define OPCODE #NOTENAME#
#end
; i names each note once, k follows its glide.
#ifndef RATE
#define RATE #k#
#end
; The pitch rises from one note number to the other, in steps of a part of a semitone.
#ifndef LOWEST
#define LOWEST #57#
#end
#ifndef HIGHEST
#define HIGHEST #69#
#end
#ifndef STEPS
#define STEPS #4#
#end
#ifndef NOTES
#define NOTES #2#
#end
#ifndef DURATION
#define DURATION #6#
#end
; MEASURED runs the opcode 128 times in each k-cycle, at i-time too, to measure its cost.
#define CALL #Sname $OPCODE $RATE.number#

instr 1
  ilowest = $LOWEST + ($HIGHEST - $LOWEST) * p5 / $NOTES
  inumber = round(ilowest * $STEPS) / $STEPS
  kglide line ilowest, p3, ilowest + ($HIGHEST - $LOWEST) / $NOTES
  knumber init inumber
  knumber = round(kglide * $STEPS) / $STEPS
  Sname init "4C"
#ifdef MEASURED
  reinit again
again:
  $RATE.round = 0
  while $RATE.round < 8 do
#ifndef EMPTY
    $CALL
    $CALL
    $CALL
    $CALL
    $CALL
    $CALL
    $CALL
    $CALL
    $CALL
    $CALL
    $CALL
    $CALL
    $CALL
    $CALL
    $CALL
    $CALL
#end
    $RATE.round += 1
  od
  rireturn
#else
  $CALL
#end
#ifdef SHOW
  puts Sname, changed(knumber) + 1
#end
#ifdef VALUES
  ; The whole text as a number below 1.
  kvalue = 0
  kplace = 7
  while kplace > 0 do
    kplace -= 1
    kvalue = (kvalue + strchark(Sname, kplace)) / 128
  od
  asound upsamp kvalue
#else
  kname ntom Sname
  asung vco2 0.15, cpsmidinn(kglide)
  anamed oscili 0.2, cpsmidinn(kname)
  asound = (asung + anamed) * linseg:a(0, 0.01, 1, p3 - 0.02, 1, 0.01, 0)
#end
#ifndef MUTED
  outch p4, asound
#end
endin

; The same glides in each output channel.
inote = 0
while inote < $NOTES do
  ichannel = 1
  while ichannel <= nchnls do
    schedule 1, inote * $DURATION / $NOTES, $DURATION / $NOTES, ichannel, inote
    ichannel += 1
  od
  inote += 1
od
event_i "e", 0, $DURATION
</CsInstruments>
<CsScore>
f 0 z
</CsScore>
</CsoundSynthesizer>
