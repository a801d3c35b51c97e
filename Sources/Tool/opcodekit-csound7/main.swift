import CommandKit
import LibraryCommands
import QualityCommands
import SpeedCommands

// The commands to test an opcode, in a Csound 7 engine. The tool itself is linked with Csound 6 and hands commands over
// to this program and the two beside it, which have no opcodes of their own.

Project.serveHandedOver([.speed(building: nil), .linting, .validation, .goldens, .listing])
