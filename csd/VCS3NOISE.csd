<CsoundSynthesizer>
<CsInstruments>
; The noise of a VCS3 while its colour goes from dark to bright.
;   csound --opcode-lib=./build/libopcodes.so csd/VCS3NOISE.csd -odac
; Every macro can be set from outside: --omacro:OPCODE=VCS3NoiseUDO makes it of rand and tone.

sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

#ifndef OPCODE
#define OPCODE #VCS3NOISE#
#end
#ifndef DURATION
#define DURATION #4#
#end
#ifndef COLOURSTART
#define COLOURSTART #0#
#end
#ifndef COLOUREND
#define COLOUREND #1#
#end

; The same noise of Csound's own opcodes.
opcode VCS3NoiseUDO, a, ki
  kcolour, iseed xin
  awhite rand 1, iseed, 1
  alow tone awhite, 800
  xout 2 * ((1 - kcolour) * alow + kcolour * (awhite - alow))
endop

instr 1
  kcolour line $COLOURSTART, p3, $COLOUREND
  anoise init 0
#ifndef EMPTY
  anoise $OPCODE kcolour, 0.5 / p4
#end
#ifndef MUTED
  outch p4, 0.5 * anoise
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
