<CsoundSynthesizer>
<CsInstruments>
; A melody of steps whose pitch glides: PORTK smooths the control signal.
;   csound --opcode-lib=./build/libopcodes.so csd/PORTK.csd -odac
; Every macro can be set from outside: --omacro:OPCODE=portk plays Csound's own.

sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

#ifndef OPCODE
#define OPCODE #PORTK#
#end
; The control signal, in octaves: Steps or Input (the sound card).
#ifndef SIGNAL
#define SIGNAL #Steps#
#end
#ifndef DURATION
#define DURATION #6#
#end
; The half-time goes from one value to the other, in seconds.
#ifndef HALFTIMESTART
#define HALFTIMESTART #0.04#
#end
#ifndef HALFTIMEEND
#define HALFTIMEEND #0.04#
#end
#ifndef START
#define START #0#
#end

opcode Steps, k, i
  ichannel xin
  ksteps randh 1, 5, 0.5 / ichannel
  xout ksteps
endop

opcode Input, k, i
  ichannel xin
  kinput downsamp inch(ichannel)
  xout kinput
endop

instr 1
  ksignal $SIGNAL p4
  khalftime line $HALFTIMESTART, p3, $HALFTIMEEND
  ksmooth $OPCODE ksignal, khalftime, $START
  asound oscili 0.2, 440 * 2 ^ ksmooth
  outch p4, asound
endin

; A note for each output channel.
ichannel = 1
while ichannel <= nchnls do
  schedule 1, 0, $DURATION, ichannel
  ichannel += 1
od
event_i "e", 0, $DURATION
</CsInstruments>
<CsScore>
f 0 z
</CsScore>
</CsoundSynthesizer>
