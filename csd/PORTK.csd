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
; The control signal, in octaves: Steps, Ramp, Impulse or Input (sound card or a file).
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
; MEASURED runs the opcode 128 times in each k-cycle, to measure its cost.
#define CALL #ksmooth $OPCODE ksignal, khalftime, $START#

opcode Steps, k, i
  ichannel xin
  ksteps randh 1, 5, 0.5 / ichannel
  xout ksteps
endop

opcode Ramp, k, i
  ichannel xin
  kramp line -1, p3, ichannel
  xout kramp
endop

opcode Impulse, k, i
  ichannel xin
  kcycle timeinstk
  kimpulse = (kcycle == 1 ? 1 : 0)
  xout kimpulse
endop

opcode Input, k, i
  ichannel xin
  kinput downsamp inch(ichannel)
  xout kinput
endop

instr 1
  ksignal $SIGNAL p4
  khalftime line $HALFTIMESTART, p3, $HALFTIMEEND
  ksmooth init 0
#ifdef MEASURED
  kround = 0
  while kround < 8 do
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
    kround += 1
  od
#else
  $CALL
#end
#ifdef VALUES
  asound upsamp ksmooth
#else
  asound oscili 0.2, 440 * 2 ^ ksmooth
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
