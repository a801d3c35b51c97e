<CsoundSynthesizer>
<CsInstruments>
; Frequencies that fit no scale, played as the nearest note of the piano: FTOM with rounding.
;   csound --opcode-lib=./build/libopcodes.so csd/FTOM.csd -odac
; Every macro can be set from outside: --omacro:OPCODE=ftom plays Csound's own.

sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1
#ifdef TUNING
A4 = $TUNING
#end

#ifndef OPCODE
#define OPCODE #FTOM#
#end
; i converts each note's frequency once, k follows a glide.
#ifndef RATE
#define RATE #i#
#end
#ifndef ROUND
#define ROUND #1#
#end
#ifndef LOWEST
#define LOWEST #110#
#end
#ifndef OCTAVES
#define OCTAVES #3#
#end
#ifndef NOTES
#define NOTES #16#
#end
#ifndef DURATION
#define DURATION #4#
#end
; MEASURED runs the opcode 128 times in each k-cycle, at i-time too, to measure its cost.
#define CALL #$RATE.note $OPCODE $RATE.frequency, $ROUND#

instr 1
  ifrequency = $LOWEST * 2 ^ ($OCTAVES * p5)
  kfrequency line ifrequency, p3, ifrequency * 1.5
  $RATE.note init 60
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
#ifdef VALUES
  kvalue = $RATE.note / 128
  asound upsamp kvalue
#else
  asound oscili 0.2, cpsmidinn($RATE.note)
#end
#ifndef MUTED
  outch p4, asound
#end
endin

; The same melody in each output channel: notes spread over the octaves by the golden ratio.
inote = 0
while inote < $NOTES do
  ichannel = 1
  while ichannel <= nchnls do
    schedule 1, inote * $DURATION / $NOTES, $DURATION / $NOTES, ichannel, frac(inote * 0.618034)
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
