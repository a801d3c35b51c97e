import PluginBuilding
import ProfileCommands
import Rendering
import ReportCommands
import SurveyCommands
import WidgetOpcodes

// The commands for whole pieces and folders of them, and those that make pages about opcodes.

WidgetHost.current = .panels
Tool([.profiling, .surveying, .reporting]).run()
