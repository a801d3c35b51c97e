<CsoundSynthesizer>
<CsInstruments>
; A melody written in note names: NOTENUM makes them numbers.
;   csound --opcode-lib=./build/libopcodes.so csd/NOTENUM.csd -odac
; Every macro can be set from outside: --omacro:OPCODE=ntom plays Csound's own.

sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

#ifndef OPCODE
#define OPCODE #NOTENUM#
#end
; i reads each note's name once, k reads a name that changes during the note.
#ifndef RATE
#define RATE #i#
#end
; The names: Melody, or All for every form there is, spread over the notes.
#ifndef NAMES
#define NAMES #Melody#
#end
#ifndef NOTES
#define NOTES #16#
#end
#ifndef DURATION
#define DURATION #4#
#end
; MEASURED runs the opcode 128 times in each k-cycle, at i-time too, to measure its cost.
#define CALL #$RATE.note $OPCODE Sname#

opcode Melody, S, i
  inote xin
  Snames[] fillarray "3A", "4E", "4A", "5C", "5E", "5C", "4A", "4E", "3G", "4D", "4G", "4B", "3F#", "4C#", "4F#", "4A-14"
  xout Snames[inote % 16]
endop

opcode All, S, i
  inote xin
  Sletters[] fillarray "C#", "C", "Db", "D", "D#", "Eb", "E", "F", "F#", "Gb", "G", "G#", "Ab", "A", "A#", "Bb", "B", "Cb", "B#"
  Scents[] fillarray "+31", "", "+", "-", "+5", "-5", "+50", "-50", "+07", "+99", "-99"
  Sname sprintf "%d%s%s", inote % 10, Sletters[inote % 19], Scents[inote % 11]
  xout Sname
endop

instr 1
  Sname $NAMES p5
  Snext $NAMES p5 + 1
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
  ; The k-rate name is the next note's for the last quarter of the note: it changes at k-rate only.
  if timeinsts() > p3 * 0.75 then
    Sname strcpyk Snext
  endif
  $CALL
#end
#ifdef VALUES
  $RATE.value = $RATE.note / 128
  asound = a($RATE.value)
#else
  asound vco2 0.2, cpsmidinn($RATE.note)
  asound *= linseg:a(0, 0.005, 1, p3 - 0.01, 0.5, 0.005, 0)
#end
#ifndef MUTED
  outch p4, asound
#end
endin

; The same melody in each output channel.
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
