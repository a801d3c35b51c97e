// The tool's worker with the test opcodes beside the real ones.

import Harness
import OpcodeKit
import Opcodes
import TestOpcodes

Worker.serve { csound in
  registerLibrary(in: csound)
  var registry = CsoundRegistry(csound)
  registerFaultyLadders(in: &registry)
}
