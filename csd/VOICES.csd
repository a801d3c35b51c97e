<CsoundSynthesizer>
<CsInstruments>
; Chords that grow and shrink as loud as single notes: VOICES counts what sounds, releases included.
;   csound --opcode-lib=./build/libopcodes.so csd/VOICES.csd -odac

sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

#ifndef OPCODE
#define OPCODE #VOICES#
#end
#ifndef DURATION
#define DURATION #8#
#end

instr 1
  kcount init 1
#ifndef EMPTY
  ; A group for each channel.
  Sgroup sprintf "choir %d", p4
  kcount $OPCODE Sgroup
#end
  kloudness portk 1 / sqrt(kcount), 0.02, 1
  avoice vco2 0.25, cpsmidinn(p5) * (1 + 0.002 * lfo:k(1, 5 + p5 / 100)), 12
  avoice *= a(kloudness) * linsegr:a(0, 0.1, 1, 0.3, 0)
#ifndef MUTED
  outch p4, avoice
#end
endin

; In each output channel five voices that come in one after the other, and leave in the same order.
ichannel = 1
while ichannel <= nchnls do
  ivoice = 0
  ipitches[] fillarray 48, 60, 64, 67, 71
  while ivoice < 5 do
    schedule 1, $DURATION * ivoice / 10, $DURATION * 0.5, ichannel, ipitches[ivoice]
    ivoice += 1
  od
  ichannel += 1
od
event_i "e", 0, $DURATION
</CsInstruments>
<CsScore>
f 0 z
</CsScore>
</CsoundSynthesizer>
