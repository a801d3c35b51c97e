// The tool's worker with the test opcodes beside the real ones.

import Harness
import OpcodeKit
import Opcodes
import TestOpcodes

Worker.serve { csound in
  var registry = CsoundRegistry(csound)
  registerOpcodes(in: &registry)
  registerFaultyLadders(in: &registry)
}
