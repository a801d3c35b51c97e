import CommandKit
import ProfileCommands
import SurveyCommands

// The commands for whole pieces and folders of them, in a Csound 7 engine.

Project.serveHandedOver([.profiling, .surveying])
