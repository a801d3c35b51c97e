<CsoundSynthesizer>
<CsInstruments>
; A tone that fades and bends, from a table of harmonics.
;   csound --opcode-lib=./build/libopcodes.so csd/POSCIL.csd -odac
; Every macro can be set from outside: --omacro:OPCODE=poscil3 plays Csound's own.

sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

#ifndef OPCODE
#define OPCODE #POSCIL#
#end
; OUTPUT is a, or k with CONTROL defined for a control signal.
#ifndef OUTPUT
#define OUTPUT #a#
#end
#ifndef AMPLITUDERATE
#define AMPLITUDERATE #k#
#end
#ifndef FREQUENCYRATE
#define FREQUENCYRATE #k#
#end
#ifndef DURATION
#define DURATION #4#
#end
; The frequency goes from one to the other, and rises by BEND of itself on the way.
#ifndef FREQUENCYSTART
#define FREQUENCYSTART #220#
#end
#ifndef FREQUENCYEND
#define FREQUENCYEND #$FREQUENCYSTART#
#end
#ifndef BEND
#define BEND #0.01#
#end
; The table: its number, and the length of number 1.
#ifndef TABLE
#define TABLE #1#
#end
#ifndef SIZE
#define SIZE #4096#
#end
#ifndef PHASE
#define PHASE #0#
#end

giharmonics ftgen 1, 0, $SIZE, -10, 1, 0.5, 0.3, 0.25, 0.2, 0.1
; A line whose guard point is not its first element.
giline ftgen 2, 0, 65, -7, -1, 64, 1

instr 1
  $AMPLITUDERATE.fade line 0.3, p3, 0.1
  $FREQUENCYRATE.sweep line $FREQUENCYSTART * p4, p3, $FREQUENCYEND * p4
  $FREQUENCYRATE.bend line 1, p3, 1 + $BEND
  $FREQUENCYRATE.bent = $FREQUENCYRATE.sweep * $FREQUENCYRATE.bend
  asound init 0
  ksound init 0
#ifndef EMPTY
  $OUTPUT.sound $OPCODE $AMPLITUDERATE.fade, $FREQUENCYRATE.bent, $TABLE, $PHASE
#end
#ifdef CONTROL
  asound upsamp ksound
#end
#ifndef MUTED
  outch p4, asound
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
