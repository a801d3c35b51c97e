import CommandKit
import Linting
import ProfileCommands
import SurveyCommands

// The commands for whole pieces and folders of them, in a Csound 7 engine. They read what a plugin registers.

Project.serveHandedOver([
  .profiling, .surveying, Feature([], jobs: [BuiltinsJob.self, LintJob.self]),
])
