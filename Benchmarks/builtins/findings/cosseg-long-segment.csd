<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Prints what an a-rate cosseg puts out at the start of a segment that lasts 28 hours.
; The number of its samples does not fit into 32 bits, becomes negative and is taken for 0: the segment is left out.
; Right: 1
; Opcode: cosseg
; Problem: At a-rate a segment of 2^31 samples or more, 12.4 hours at 48 kHz, is left out.
; Seen: wrong values
; Expected: v1 = 1 within 0.001
; Check: bench
; Source: OOps/ugens1.c, csgset: acnt = (int32_t)(dur * CS_ESR)
; Patch: Count in a 64-bit number.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

instr 1
  avalue cosseg 1, 100000, 2
  kvalue downsamp avalue
  if timeinstk:k() == 1 then
    printf "\nseen %f\n", 1, kvalue
    turnoff
  endif
endin
</CsInstruments>
<CsScore>
i 1 0 100000
e 0.1
</CsScore>
</CsoundSynthesizer>
