<CsoundSynthesizer>
<CsInstruments>
; What a call costs beside its work: sixteen copies of a signal one after the other.
; ./opcodekit bench KIT builds both plugins.

sr = 48000
ksmps = 1
nchnls = 1
0dbfs = 1

#ifndef OPCODE
#define OPCODE #KITCOPY#
#end
#ifndef RATE
#define RATE #a#
#end
#ifndef DURATION
#define DURATION #1#
#end
#define CALL #$RATE.copy $OPCODE $RATE.source#

instr 1
  $RATE.source oscili 0.5, 440
  $RATE.copy init 0
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
#ifndef MUTED
  asound = $RATE.copy
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
