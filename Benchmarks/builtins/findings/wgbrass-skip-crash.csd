<CsoundSynthesizer>
<CsOptions>
-n -m0 -d
</CsOptions>
<CsInstruments>
; Ends Csound with a segmentation fault: a negative iminfreq skips the init pass, and in a fresh note there is
; no memory to keep.
; Right: a fresh note is set up whatever iminfreq is.
; Opcode: wgbrass
; Problem: A negative iminfreq in the first note crashes Csound.
; Seen: crash
; Expected: no crash
; Source: Opcodes/physmod.c, brassset
; Patch: Set up the delay line where it is not allocated, whatever iminfreq is.
sr = 48000
ksmps = 64
nchnls = 1
0dbfs = 1
gisine ftgen 0, 0, 1024, 10, 1

instr 1
  aout wgbrass 0.5, 220, 0.4, 0.02, 6, 0.01, gisine, -1
endin
</CsInstruments>
<CsScore>
i 1 0 0.3
e
</CsScore>
</CsoundSynthesizer>
