<CsoundSynthesizer>
<CsInstruments>
; The harmonics of each note, every one as the nearest note of the piano: FTOM on an array.
;   csound --opcode-lib=./build/libopcodes.so csd/FTOM-array.csd -odac
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
; i converts the harmonics of each note once, k follows a glide.
#ifndef RATE
#define RATE #k#
#end
#ifndef ROUND
#define ROUND #1#
#end
#ifndef LOWEST
#define LOWEST #55#
#end
#ifndef OCTAVES
#define OCTAVES #2#
#end
#ifndef NOTES
#define NOTES #8#
#end
#ifndef DURATION
#define DURATION #8#
#end
; MEASURED runs the opcode 128 times in each k-cycle, at i-time too, to measure its cost.
#define CALL #$RATE.notes $OPCODE $RATE.frequencies, $ROUND#
#define PARTIAL(N) #asound += oscili:a(0.2 / ($N + 1), cpsmidinn($RATE.notes[$N]))#

instr 1
  ifrequency = $LOWEST * 2 ^ ($OCTAVES * p5)
  kfrequency line ifrequency, p3, ifrequency * 1.5
  $RATE.frequencies[] init 8
  $RATE.notes[] init 8
  $RATE.harmonic = 0
  while $RATE.harmonic < 8 do
    $RATE.frequencies[$RATE.harmonic] = $RATE.frequency * ($RATE.harmonic + 1)
    $RATE.harmonic += 1
  od
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
#ifndef EMPTY
  $CALL
#end
#end
#ifdef VALUES
  kcycle timeinstk
  ; Csound's own begins to convert in the second k-cycle of a note.
  kvalue = (kcycle == 1 ? 0 : $RATE.notes[kcycle % 8] / 128)
  asound upsamp kvalue
#else
  asound init 0
  asound = 0
  $PARTIAL(0)
  $PARTIAL(1)
  $PARTIAL(2)
  $PARTIAL(3)
  $PARTIAL(4)
  $PARTIAL(5)
  $PARTIAL(6)
  $PARTIAL(7)
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
