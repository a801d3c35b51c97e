import Playing
import PluginBuilding
import Profiling
import Rendering
import Reporting
import Swapping
import WidgetOpcodes

// The commands for whole pieces and folders of them, and those that make pages about opcodes. It also plays the pieces
// that call FL opcodes.

WidgetHost.current = .panels
Tool([
  .profiling, .pieces, .reporting, .speed, .playing { WidgetBoard.install(in: $0, for: $1) },
]).run()
