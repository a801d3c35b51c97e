<CsoundSynthesizer>
<CsInstruments>
; Plucked notes with echoes that go up and down in pitch, each a filter darker than the one before.
;   csound --opcode-lib=./build/libopcodes.so csd/DELTAP3.csd -odac
; Csound's own, delayr, deltap3 and delayw: --omacro:READ=delayr --omacro:TAP=deltap3 --omacro:WRITE=delayw.

sr = 48000
ksmps = 64
nchnls = 2
0dbfs = 1

#ifndef READ
#define READ #DELAYR#
#end
#ifndef TAP
#define TAP #DELTAP3#
#end
#ifndef WRITE
#define WRITE #DELAYW#
#end
#ifndef DURATION
#define DURATION #8#
#end

instr 1
  kbeat metro 1.5
  kstep init -1
  kstep += kbeat
  kpitch[] fillarray 220, 277, 330, 440, 330, 277
  aenvelope phasor 1.5
  asaw vco2 0.3, kpitch[int(kstep) % 6]
  apluck = asaw * exp(-7 * aenvelope)

  asway oscili 0.004, 0.31
  aend $READ 1
  aleft $TAP 0.5 + asway
  aright $TAP 0.75 - asway
  aback tone aleft + aright, 2500
  $WRITE apluck + 0.4 * aback
  outs apluck + aleft, apluck + aright
endin

schedule 1, 0, $DURATION
event_i "e", 0, $DURATION
</CsInstruments>
<CsScore>
f 0 z
</CsScore>
</CsoundSynthesizer>
