<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Prints by how many KiB more the process has grown over 20000 notes than over 20000 notes without mincer.
; Each note makes two settings for Fourier transforms that are given back when the engine is reset only.
; Right: they are shared, or given back with the note.
; Opcode: mincer, centroid, liveconv, temposcal, tvconv and pvscale
; Problem: Each note keeps memory until the end of the performance; printed are KiB for 20000 notes.
; Seen: wrong values
; Expected: v1 < 512
; Check: life-leak-notes
; Source: Opcodes/pvlock.c, sinit; with RealFFTSetup the same in develop of October 2024
; Patch: Use the setup of the engine for each size (RealFFT2Setup allocates at each call).
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1
gitable ftgen 0, 0, 4096, 10, 1

gifirst init 0
gisecond init 0

; Each note starts the next, as Csound 7.0 also keeps memory for each event of the score.
instr 1
  if p4 < 20000 then
    schedule 1, 0.003, 0.001, p4 + 1
  endif
  aout oscili 1, 1
endin

instr 2
  if p4 < 20000 then
    schedule 2, 0.003, 0.001, p4 + 1
  endif
  aout mincer a(0.1), 0.5, 1, gitable, 1, 512, 4
endin

; The pages of 4 KiB in memory are the second number of the line. Each call needs a name of its own.
instr 3
  Sline, iline readfi "/proc/self/statm"
  istart strindex Sline, " "
  Srest strsub Sline, istart + 1
  iend strindex Srest, " "
  Spages strsub Srest, 0, iend
  ipages strtod Spages
  gifirst = ipages
endin

instr 4
  Sline, iline readfi "/proc/self/../self/statm"
  istart strindex Sline, " "
  Srest strsub Sline, istart + 1
  iend strindex Srest, " "
  Spages strsub Srest, 0, iend
  ipages strtod Spages
  gisecond = ipages
endin

instr 5
  Sline, iline readfi "/proc/self/../../proc/self/statm"
  istart strindex Sline, " "
  Srest strsub Sline, istart + 1
  iend strindex Srest, " "
  Spages strsub Srest, 0, iend
  ipages strtod Spages
  prints "seen %d\n", (ipages - gisecond - (gisecond - gifirst)) * 4
endin
</CsInstruments>
<CsScore>
i 1 0 0.001 19000
i 2 0 0.001 19000
i 3 3.5 0.01
i 1 4 0.001 0
i 4 64.5 0.01
i 2 65 0.001 0
i 5 126 0.01
e
</CsScore>
</CsoundSynthesizer>
