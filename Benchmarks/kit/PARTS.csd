<CsoundSynthesizer>
<CsInstruments>
; One part of the toolbox beside the same part of Faust's library. ./opcodekit bench TOOLSVF builds both plugins.

sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

#ifndef OPCODE
#define OPCODE #TOOLSVF#
#end
; What comes after the signal; kslow goes up and down between 0 and 1.
#ifndef ARGUMENTS
#define ARGUMENTS #, 500 + 3000 * kslow, 2#
#end
#ifndef DURATION
#define DURATION #1#
#end

instr 1
  asignal rand 2, 0.5, 1
  kslow oscili 0.5, 3
  kslow += 0.5
  asound init 0
#ifndef EMPTY
  asound $OPCODE asignal $ARGUMENTS
#end
#ifndef MUTED
  outch p4, asound
#end
endin

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
