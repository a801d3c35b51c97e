<CsoundSynthesizer>
<CsInstruments>
; A VCS3 that plays by itself: the trapezoid repeats, opens filter and amplifier, and each attack takes
; the next note.
;   csound --opcode-lib=./build/libopcodes.so csd/VCS3ENV.csd -odac
; Every macro can be set from outside: --omacro:OFF=-1 --omacro:GATE=Pulses waits for a gate.

sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

#ifndef OPCODE
#define OPCODE #VCS3ENV#
#end
; The gate: Closed, Pulses or Input (the sound card, or a file the harness feeds).
#ifndef GATE
#define GATE #Closed#
#end
#ifndef DURATION
#define DURATION #6#
#end
; The trapezoid's segments, in seconds.
#ifndef ATTACK
#define ATTACK #0.01#
#end
#ifndef ON
#define ON #0.05#
#end
#ifndef DECAY
#define DECAY #0.3#
#end
#ifndef OFF
#define OFF #0.02#
#end

opcode Closed, k, i
  ichannel xin
  xout k(0)
endop

opcode Pulses, k, i
  ichannel xin
  kphase phasor 2, 1 / ichannel - 0.001
  xout (kphase < 0.3 ? 1 : 0)
endop

opcode Input, k, i
  ichannel xin
  kinput downsamp inch(ichannel)
  xout kinput
endop

instr 1
  kgate $GATE p4
  kattack init $ATTACK
  kon init $ON
  kdecay init $DECAY
  koff init $OFF
  aenvelope init 0
  ktrapezoid init -1
#ifndef EMPTY
  aenvelope, ktrapezoid $OPCODE kgate, kattack, kon, kdecay, koff
#end
#ifdef VALUES
  asound = aenvelope
#else
  knote init -1
  knote += trigger(ktrapezoid, -0.99, 0)
  asaw vco2 0.5, 110 * p4 * semitone((7 * max(knote, 0)) % 12)
  acutoff = 150 * octave(2.5 * interp(ktrapezoid + 1))
  afiltered VCS3FILTER asaw, acutoff, 0.8
  asound = afiltered * aenvelope
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
