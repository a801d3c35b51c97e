<CsoundSynthesizer>
<CsInstruments>
; A chord of an organ through the scanner: V1, V2, V3, C1, C2, C3, one after the other.
;   csound --opcode-lib=./build/libopcodes.so csd/SCANNER.csd -odac
; Every macro can be set from outside: --omacro:OPCODE=ScannerUDO computes the same line in Csound's own
; language.

sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

#ifndef OPCODE
#define OPCODE #SCANNER#
#end
; The signal: Organ, Noise, Impulse, Burst or Input (the sound card, or a file the harness feeds).
#ifndef SIGNAL
#define SIGNAL #Organ#
#end
#ifndef LEVEL
#define LEVEL #0.5#
#end
#ifndef DURATION
#define DURATION #9#
#end
; Vibrato 1 to 3, chorus 4 to 6; All goes through them.
#ifndef MODE
#define MODE #All(p3)#
#end
#ifndef RATE
#define RATE #6.87#
#end

gibars ftgen 1, 0, 16384, 10, 0.6, 1, 0.8, 0.5, 0, 0.3

opcode Organ, a, i
  ichannel xin
  alow poscil $LEVEL * 0.3, 130.8 * ichannel, gibars
  amiddle poscil $LEVEL * 0.3, 164.8 * ichannel, gibars
  ahigh poscil $LEVEL * 0.3, 196 * ichannel, gibars
  xout alow + amiddle + ahigh
endop

opcode Noise, a, i
  ichannel xin
  anoise rand $LEVEL, 0.5 / ichannel, 1
  xout anoise
endop

opcode Impulse, a, i
  ichannel xin
  aimpulse mpulse $LEVEL, 0.01 * ichannel
  xout aimpulse
endop

opcode Burst, a, i
  ichannel xin
  anoise rand $LEVEL, 0.5 / ichannel, 1
  aenvelope linseg 1, 0.1, 1, 0, 0, 1, 0
  xout anoise * aenvelope
endop

opcode Input, a, i
  ichannel xin
  ainput inch ichannel
  xout ainput
endop

opcode All, k, i
  iduration xin
  kmode line 1, iduration, 7
  xout limit(int(kmode), 1, 6)
endop

; The same line, one sample at a time.
gitaps ftgen 2, 0, -27, -2, 0, 1, 2, 3, 4, 5, 6, 7, 8, 0, 1, 2, 4, 6, 8, 10, 11, 12, 0, 1, 3, 6, 9, 12, 15, 17, 18
giseries ftgen 3, 0, -19, -2, 27, 56, 39, 33, 18, 12
gishunt ftgen 4, 0, -19, -2, 68, 150, 150, 180, 180, 180
opcode ScannerUDO, a, akk
  asignal, kmode, krate xin
  setksmps 1
  itime = sqrt(0.5 * 4e-9)
  iohms = sqrt(0.5 / 4e-9)
  isteps = int(1 / (0.3 * itime * sr)) + 1
  istep = 1 / (isteps * sr * itime)
  kvolts[] init 20
  kamps[] init 20
  ikeep[] init 20
  igain[] init 20
  idivider[] init 20
  inode = 0
  while inode <= 18 do
    iseries = tab_i(inode, giseries)
    ishunt = tab_i(inode, gishunt)
    idivider[inode] = ishunt > 0 ? ishunt / (iseries + ishunt) : 1
    iload = ishunt > 0 ? iohms / (1000 * (iseries + ishunt)) : 0
    iload = inode == 18 ? iohms / 15000 : iload
    icapacity = inode == 18 ? 0.25 : 1
    ihalf = 0.5 * istep * iload / icapacity
    ikeep[inode] = (1 - ihalf) / (1 + ihalf)
    igain[inode] = istep / icapacity / (1 + ihalf)
    inode += 1
  od
  kkeep[] = ikeep
  kgain[] = igain
  kdivider[] = idivider
  kpole init 0
  kx1 init 0
  kx init 0
  kx2 = kx1
  kx1 = kx
  kx = asignal[0]
  kresistance = kmode > 3 ? 22000 / iohms : 0
  kfirst = 1 / (1 + kresistance * iohms / 95000)
  kdamping = 0.5 * istep * kresistance * kfirst
  kstep = 0
  while kstep < isteps do
    kway = kstep / isteps
    know = kx1 * (1 - kway * kway) + 0.5 * kway * (kx * (kway + 1) + kx2 * (kway - 1))
    kamps[1] = (kamps[1] * (1 - kdamping) + istep * (know * kfirst - kvolts[1])) / (1 + kdamping)
    kstage = 2
    while kstage <= 18 do
      kamps[kstage] = kamps[kstage] + istep * (kvolts[kstage - 1] - kvolts[kstage])
      kstage += 1
    od
    kstage = 1
    while kstage <= 18 do
      kvolts[kstage] = kvolts[kstage] * kkeep[kstage] + (kamps[kstage] - kamps[kstage + 1]) * kgain[kstage]
      kstage += 1
    od
    kstep += 1
  od
  kcurrent = (kamps[1] + 0.5 * istep * (kx * kfirst - kvolts[1])) / (1 + kdamping)
  kvolts[0] = kfirst * (kx - kresistance * kcurrent)
  kset = 9 * ((kmode - 1) % 3)
  kway = kpole < 8 ? kpole : 16 - kpole
  ktap = min(int(kway), 7)
  knear tab kset + ktap, gitaps
  kfar tab kset + ktap + 1, gitaps
  kone = kvolts[knear] * kdivider[knear]
  kother = kvolts[kfar] * kdivider[kfar]
  kout = kx - kvolts[0] + kone + (kother - kone) * (kway - ktap)
  kpole += 16 * krate / sr
  if kpole >= 16 then
    kpole -= 16
  endif
  aout = kout
  xout aout
endop

instr 1
  asignal $SIGNAL p4
  kmode = $MODE
  ascanned init 0
#ifndef EMPTY
  ascanned $OPCODE asignal, kmode, $RATE
#end
#ifndef MUTED
  outch p4, ascanned
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
