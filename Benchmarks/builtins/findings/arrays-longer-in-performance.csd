<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Ends Csound with a segmentation fault or a broken heap: the array becomes longer in performance, and the
; output array keeps the length of the init pass. The other opcodes of one array behave so.
; Right: an error in performance, or a longer output.
; Opcode: ceil and 29 other opcodes of one array
; Problem: An array that becomes longer during a note crashes Csound.
; Seen: crash
; Expected: no crash
; Check: arguments-array-changes
; Source: Opcodes/arrayops.cpp, struct ArrayOp
; Patch: Give the output the length of the input in each pass, or return a performance error.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1

instr 1
  karray[] init 100000
  trim_i karray, 2
  if timeinstk() == 10 then
    trim karray, 100000
  endif
  kout[] ceil karray
endin
</CsInstruments>
<CsScore>
i 1 0 0.5
e
</CsScore>
</CsoundSynthesizer>
