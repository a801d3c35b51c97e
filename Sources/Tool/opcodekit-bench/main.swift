import CommandKit
import LibraryCommands
import Linting
import Rendering
import SpeedCommands

// Compares and times opcodes, and builds plugins: the first program that is built in a new clone.

let work = Feature([], jobs: [LintJob.self, RenderJob.self])
Tool([.speed, .building, work]).run()
