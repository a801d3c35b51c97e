import CommandKit
import LibraryCommands
import QualityCommands
import SpeedCommands

// What it takes to write an opcode and to test it: the first that is built in a new clone.

let parts: [Feature] = [.speed, .building, .linting, .validation, .goldens, .rendering]
Tool(parts + [.merging(parts)]).run()
