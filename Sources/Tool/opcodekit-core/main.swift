import CommandKit
import Comparing
import PluginBuilding
import Validating

// The commands to write and test an opcode, those of `opcodekit-bench` among them. It is built sooner than the whole
// tool.

let parts: [Feature] = [.speed, .building, .linting, .validation, .goldens, .versions, .rendering]
Tool(parts + [.merging(parts)], test: PackageTest.run).run()
