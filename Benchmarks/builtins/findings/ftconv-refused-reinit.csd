<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Ends Csound: at the reinit the partition length is 65537, which is refused with an error message. The note plays on with it, and
; writes outside of memory. Right: what is refused is not taken over.
; Opcode: ftconv
; Problem: A reinit with a wrong partition length crashes Csound.
; Seen: crash
; Expected: no crash
; Check: life-kept-reinit
; Source: Opcodes/ftconv.c, ftconv_init: partSize is set before it is looked at
; Patch: Set partSize after the test.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1
giresponse ftgen 0, 0, 4096, 10, 1

instr 1
  ain rand 0.5, 0.3, 1
  kcycle init 0
  kcycle += 1
  if kcycle == 21 then
    reinit again
  endif
again:
  ichanged = (i(kcycle) < 10 ? 0 : 1)
  ilength = (ichanged == 0 ? 256 : 65537)
  aout ftconv ain, giresponse, ilength
  rireturn
endin
</CsInstruments>
<CsScore>
i 1 0 5
e
</CsScore>
</CsoundSynthesizer>
