import Comparing
import PluginBuilding

// The commands to compare and time opcodes, and to build plugins. A new clone builds this program first, because it
// is built sooner than one with every check.

Tool([.speed, .building]).run()
