<CsoundSynthesizer>
<CsInstruments>
; An organ whose drawbars move while it plays: HARMONICS rewrites its waveform.
;   csound --opcode-lib=./build/libopcodes.so csd/HARMONICS.csd -odac
; Every macro can be set from outside: --omacro:OPCODE=HarmonicsUDO has GEN10 make the same tables.

sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

#ifndef OPCODE
#define OPCODE #HARMONICS#
#end
#ifndef DURATION
#define DURATION #6#
#end
; The length of the table.
#ifndef SIZE
#define SIZE #1024#
#end
; The drawbars: Swells, each at its own speed, Steps, all new five times a second, or Still.
#ifndef DRAWBARS
#define DRAWBARS #Swells#
#end
; How many of the eight are drawn.
#ifndef DRAWN
#define DRAWN #8#
#end

opcode Swells, k, ii
  ichannel, iharmonic xin
  kswell oscili 0.5, 0.11 * ichannel * (iharmonic + 1.7), -1, frac(iharmonic * 0.618034)
  xout 0.5 + kswell
endop

opcode Steps, k, ii
  ichannel, iharmonic xin
  kstep randh 1, 5, frac(iharmonic * 0.618034) / ichannel
  xout kstep
endop

opcode Still, k, ii
  ichannel, iharmonic xin
  kstill = 1 / iharmonic
  xout kstill
endop

; GEN10 by a reinit pass in each k-cycle.
opcode HarmonicsUDO, 0, kk[]
  ktable, kweights[] xin
  reinit again
again:
  itable = i(ktable)
  if itable > 0 then
    imade ftgen itable, 0, ftlen(itable), -10, i(kweights, 0), i(kweights, 1), i(kweights, 2), i(kweights, 3), i(kweights, 4), i(kweights, 5), i(kweights, 6), i(kweights, 7)
  endif
  rireturn
endop

instr 1
  itable ftgen 100 + p4, 0, $SIZE, -10, 1
  kweights[] init 8
  kdrawn = $DRAWN
  kweights[0] $DRAWBARS p4, 1
  kweights[1] $DRAWBARS p4, 2
  kweights[2] $DRAWBARS p4, 3
  kweights[3] $DRAWBARS p4, 4
  kweights[4] $DRAWBARS p4, 5
  kweights[5] $DRAWBARS p4, 6
  kweights[6] $DRAWBARS p4, 7
  kweights[7] $DRAWBARS p4, 8
  while kdrawn < 8 do
    kweights[kdrawn] = 0
    kdrawn += 1
  od
  ktable init itable
#ifndef EMPTY
  $OPCODE ktable, kweights
#end
#ifdef VALUES
  aphase phasor sr / ftlen(itable)
  asound table aphase, itable, 1
#else
  asound poscil 0.06, 110 * p4, itable
  asound += poscil(0.06, 110 * p4 * 1.5, itable)
  asound += poscil(0.06, 110 * p4 * 2.003, itable)
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
