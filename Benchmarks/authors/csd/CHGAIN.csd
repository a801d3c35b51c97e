<CsoundSynthesizer>
<CsInstruments>
; Eight channels, each with a gain of its own.

sr = 48000
ksmps = 64
nchnls = 8
0dbfs = 1

#ifndef OPCODE
#define OPCODE #CHGAIN#
#end
#ifndef DURATION
#define DURATION #1#
#end

instr 1
  asignals[] init 8
  again[] init 8
  kgains[] fillarray 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7
  asignals[0] rand 0.5, 0.5, 1
  asignals[1] rand 0.5, 0.25, 1
  asignals[2] rand 0.5, 0.167, 1
  asignals[3] rand 0.5, 0.125, 1
  asignals[4] rand 0.5, 0.1, 1
  asignals[5] rand 0.5, 0.083, 1
  asignals[6] rand 0.5, 0.071, 1
  asignals[7] rand 0.5, 0.062, 1
#ifndef EMPTY
  again $OPCODE asignals, kgains
#end
#ifndef MUTED
  out again
#end
endin

#ifndef NOTES
#define NOTES #1#
#end
inote = 0
while inote < $NOTES do
  schedule 1, 0, $DURATION
  inote += 1
od
event_i "e", 0, $DURATION
</CsInstruments>
<CsScore>
f 0 z
</CsScore>
</CsoundSynthesizer>
