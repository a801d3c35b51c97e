<CsoundSynthesizer>
<CsInstruments>
; A vibrato whose peaks SATURATE flattens, the more the further it swings.
;   csound --opcode-lib=./build/libopcodes.so csd/SATURATE-values.csd -odac
; Every macro can be set from outside: --omacro:OPCODE=tanh plays Csound's own.

sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

#ifndef OPCODE
#define OPCODE #SATURATE#
#end
; k shapes the vibrato itself, i how far each note is from the middle.
#ifndef RATE
#define RATE #k#
#end
; How far the vibrato swings at the end.
#ifndef LEVEL
#define LEVEL #6#
#end
#ifndef NOTES
#define NOTES #8#
#end
#ifndef DURATION
#define DURATION #8#
#end
; With ARRAY set, eight values at a time, of both signs.
; MEASURED runs the opcode 128 times in each k-cycle, at i-time too, to measure its cost.
#ifdef ARRAY
#define CALL #$RATE.shaped $OPCODE $RATE.swings#
#else
#define CALL #$RATE.shaped $OPCODE $RATE.swing#
#end

instr 1
  iswing = $LEVEL * (2 * p5 - 1)
  klevel line 0, p3, $LEVEL
  kwave oscili 1, 5
  kswing = klevel * kwave
#ifdef ARRAY
  $RATE.swings[] init 8
  $RATE.shaped[] init 8
  $RATE.index = 0
  while $RATE.index < 8 do
    $RATE.swings[$RATE.index] = $RATE.swing * ($RATE.index / 2 - 1.75)
    $RATE.index += 1
  od
#else
  $RATE.shaped init 0
#end
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
#ifdef ARRAY
  kcycle timeinstk
  kvalue = $RATE.shaped[kcycle % 8]
#else
  kvalue = $RATE.shaped
#end
#ifdef VALUES
  asound upsamp kvalue
#else
  asound oscili 0.2, 220 * 2 ^ ((3 * p5 + kvalue) / 12)
#end
#ifndef MUTED
  outch p4, asound
#end
endin

; Notes at places from 0 to 1 by the golden ratio, the same in each output channel.
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
