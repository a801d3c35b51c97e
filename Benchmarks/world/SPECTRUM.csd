<CsoundSynthesizer>
<CsInstruments>
; A whole analysis beside FFTW's transform. ./opcodekit bench PVSANAL-fftw builds the plugin.

sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

#ifndef OPCODE
#define OPCODE #PVSANAL#
#end
#ifndef FFTSIZE
#define FFTSIZE #1024#
#end
; 1 lets the rival compute its transform alone; the sound is then of no use.
#ifndef ALONE
#define ALONE #0#
#end
#ifndef DURATION
#define DURATION #1#
#end

instr 1
  asignal rand 0.5, 0.5, 1
  asound init 0
#ifndef EMPTY
  fsignal $OPCODE asignal, $FFTSIZE, $FFTSIZE / 4, $FFTSIZE, 1, 0, $ALONE
#end
#ifndef MUTED
#ifndef EMPTY
  ; The amplitudes of three bins are what is compared.
  klow, k1 pvsbin fsignal, 5
  kmiddle, k2 pvsbin fsignal, 25
  khigh, k3 pvsbin fsignal, 100
  asound = a(klow + kmiddle + khigh)
#end
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
