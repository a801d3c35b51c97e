<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Prints by how many KiB the process has grown over 2000 notes of a score.
; Csound 7.0 keeps about 16 KiB for each event of the score until the end, room for 1998 p-fields.
; Notes that the orchestra schedules itself leave nothing. Right: hardly anything.
; Opcode: none, a score
; Problem: Each event of the score keeps 16 KiB of memory until the end of the performance; printed are KiB
;   for 2000 notes.
; Seen: wrong values
; Expected: v1 < 2000
; Source: Engine/rdscor.c of 7, rdscor, since pull request 2140
; Patch: Keep room for the p-fields that the event has, not for PMAX.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1
gipages init 0

instr 1
  aout oscili 1, 1
endin

; The pages of 4 KiB in memory are the second number of the line. Each call needs a name of its own.
instr 2
  Sline, iline readfi "/proc/self/statm"
  istart strindex Sline, " "
  Srest strsub Sline, istart + 1
  iend strindex Srest, " "
  Spages strsub Srest, 0, iend
  ipages strtod Spages
  gipages = ipages
endin

instr 3
  Sline, iline readfi "/proc/self/../self/statm"
  istart strindex Sline, " "
  Srest strsub Sline, istart + 1
  iend strindex Srest, " "
  Spages strsub Srest, 0, iend
  ipages strtod Spages
  prints "seen %d\n", (ipages - gipages) * 4
endin
</CsInstruments>
<CsScore>
i 2 0.01 0.01
{ 2000 N
i 1 [0.1 + $N * 0.004] 0.002
}
i 3 8.2 0.01
e
</CsScore>
</CsoundSynthesizer>
