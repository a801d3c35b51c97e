<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Does not come to an end: the table has no line with -1, which gives the sequence its length, and the time is brought into
; a length of 0. Right: an init error.
; Opcode: timedseq
; Problem: A table without a line for its end never comes to an end.
; Seen: no end
; Expected: no crash
; Check: edges-outputs
; Source: Opcodes/metro.c, timeseq_set and timeseq
; Patch: Return an init error where no line begins with a negative number.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1
gitable ftgen 0, 0, 8, -2, 1, 0, 0.5, 440, 1, 0.2, 0.5, 550

instr 1
  ktime timeinsts
  kone init 0
  ktwo init 0
  kthree init 0
  kfour init 0
  ktrigger timedseq ktime, gitable, kone, ktwo, kthree, kfour
endin
</CsInstruments>
<CsScore>
i 1 0 0.1
e
</CsScore>
</CsoundSynthesizer>
