<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Prints what a k-rate transegr puts out in the second k-cycle of a segment that lasts 28 hours.
; The number of its samples does not fit into 32 bits, also where it counts k-cycles: the segment is left out.
; Csound 7.0 refuses it with an error.
; Right: 1
; Opcode: transegr
; Problem: A segment of 2^31 samples or more, 12.4 hours at 48 kHz, is left out, also at k-rate.
; Seen: wrong values
; Expected: v1 = 1 within 0.001 or an error
; Check: bench
; Source: Opcodes/pitch.c, trnsetr
; Patch: Count in a 64-bit number.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

instr 1
  kvalue transegr 1, 100000, 1, 2, 1, 1, 1
  if timeinstk:k() == 2 then
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
