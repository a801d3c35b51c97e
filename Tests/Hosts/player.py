# Plays a piece so many times in one engine, which is reset in between, and writes all samples.
import sys

import ctcsound

csound = ctcsound.Csound()
with open(sys.argv[2], "wb") as file:
    for _ in range(int(sys.argv[3])):
        csound.setOption("-n")
        if csound.compileCsd(sys.argv[1]) != 0 or csound.start() != 0:
            sys.exit(65)
        samples = csound.spout()
        while csound.performKsmps() == 0:
            file.write(samples.tobytes())
        csound.reset()
