import PluginBuilding
import Profiling
import Rendering
import Reporting
import Swapping
import WidgetOpcodes

// The commands for whole pieces and folders of them, and those that make pages about opcodes.

WidgetHost.current = .panels
Tool([.profiling, .surveying, .reporting]).run()
