<CsoundSynthesizer>
<CsInstruments>
; A drum pattern sung by sines: BANDS measures it in frequency bands, and each level is the loudness of
; a sine in the middle of its band.
;   csound --opcode-lib=./build/libopcodes.so csd/BANDS.csd -odac
; Every macro can be set from outside: --omacro:OPCODE=rms_butterbp measures with Csound's own opcodes.

sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

#ifndef OPCODE
#define OPCODE #BANDS#
#end
; The signal: Drums, Noise, Sweep or Input (the sound card, or a file the harness feeds).
#ifndef SIGNAL
#define SIGNAL #Drums#
#end
#ifndef DURATION
#define DURATION #6#
#end
; Up to 16 bands from one frequency to the other.
#ifndef BANDCOUNT
#define BANDCOUNT #12#
#end
#ifndef LOW
#define LOW #60#
#end
#ifndef HIGH
#define HIGH #sr * 0.25#
#end

; The same from Csound's own opcodes, for up to 16 bands.
#define BAND(N) #
  if $N < icount then
    ilower = ilow * (ihigh / ilow) ^ ($N / icount)
    iupper = ilow * (ihigh / ilow) ^ (($N + 1) / icount)
    aband$N butterbp asignal, sqrt(ilower * iupper), iupper - ilower
    kband$N rms aband$N
    kbands[$N] = kband$N
  endif
#
opcode rms_butterbp, k[], aijj
  asignal, icount, ilow, ihigh xin
  kbands[] init icount
  $BAND(0)
  $BAND(1)
  $BAND(2)
  $BAND(3)
  $BAND(4)
  $BAND(5)
  $BAND(6)
  $BAND(7)
  $BAND(8)
  $BAND(9)
  $BAND(10)
  $BAND(11)
  $BAND(12)
  $BAND(13)
  $BAND(14)
  $BAND(15)
  xout kbands
endop

opcode Drums, a, i
  ichannel xin
  ktick metro 4
  kbeat init -1
  kbeat += ktick
  akick = mpulse:a(1, 0.5) * 1.6
  ahit = tone(mpulse:a(1, 0.25), 4000)
  anoise rand 0.5, 0.5 / ichannel, 1
  ahat reson anoise * follow(ahit * 8, 0.01), 6000, 2000, 2
  xout reson(akick, 80, 30, 2) + ahat * (kbeat % 4 == 2 ? 1 : 0.3)
endop

opcode Noise, a, i
  ichannel xin
  anoise rand 0.5, 0.5 / ichannel, 1
  xout anoise
endop

opcode Sweep, a, i
  ichannel xin
  xout poscil(0.5, expon:a(20 * ichannel, p3, sr * 0.4))
endop

opcode Input, a, i
  ichannel xin
  ainput inch ichannel
  xout ainput
endop

instr 1
  asignal $SIGNAL p4
  kbands[] init $BANDCOUNT
#ifndef EMPTY
  kbands[] $OPCODE asignal, $BANDCOUNT, $LOW, $HIGH
#end
  kband = 0
#ifdef VALUES
  kvalue = 0
  while kband < $BANDCOUNT do
    kvalue += (kband + 1) * kbands[kband]
    kband += 1
  od
  asound upsamp kvalue
#else
  ilevels ftgentmp 0, 0, -$BANDCOUNT, -2, 0
  ifrequencies ftgentmp 0, 0, -$BANDCOUNT, -2, 0
  iband = 0
  while iband < $BANDCOUNT do
    tablew $LOW * ($HIGH / $LOW) ^ ((iband + 0.5) / $BANDCOUNT), iband, ifrequencies
    iband += 1
  od
  while kband < $BANDCOUNT do
    tablew kbands[kband], kband, ilevels
    kband += 1
  od
  asound adsynt2 1, 1, -1, ifrequencies, ilevels, $BANDCOUNT
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
