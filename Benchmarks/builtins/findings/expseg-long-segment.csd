<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Prints what a k-rate expseg puts out at the start of a segment that lasts 28 hours.
; Csound 7.0 refuses a segment of 2^31 samples or more (12.4 hours at 48 kHz), also at k-rate, where it has far fewer
; steps. The note is deleted. linseg has no such limit.
; Right: 1
; Opcode: expseg, expsega, expsegb
; Problem: A segment of 2^31 samples or more is refused, also at k-rate: a note of 13 hours at 48 kHz does not begin.
; Seen: wrong values
; Expected: v1 = 1 within 0.001
; Check: bench
; Source: OOps/ugens1.c, xsgset; what 7.0 asks for was not looked up
; Patch: Count in a 64-bit number, or in k-cycles.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

instr 1
  kvalue expseg 1, 100000, 2
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
