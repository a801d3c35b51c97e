// The tool's worker with the test opcodes beside the real ones.

import Swapping
import Benchmarking
import Comparing
import Goldens
import Linting
import OpcodeKit
import Opcodes
import PanelTrials
import Portraying
import Profiling
import Rendering
import TestOpcodes
import Validating
import Workers

let jobs = JobRegistry([
  RenderJob.self, CompileJob.self, LintJob.self, BuiltinsJob.self, CompareJob.self,
  BenchmarkJob.self, CountJob.self, ExploreJob.self, ValidateJob.self, ProfileJob.self,
  VariantsJob.self, RecordJob.self, CheckJob.self, PortraitJob.self, PieceJob.self,
  PieceTimingJob.self,
  PanelTrialJob.self,
])

Worker.serve(jobs) { csound in
  Library.install(in: csound)
  var registry = CsoundRegistry(csound)
  registerFaultyLadders(in: &registry)
}
