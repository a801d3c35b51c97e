import PluginBuilding
import ProfileCommands
import ReportCommands
import SurveyCommands

// The commands for whole pieces and folders of them, and those that make pages about opcodes.

Tool([.profiling, .surveying, .reporting]).run()
