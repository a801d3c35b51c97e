// The tool's worker with the test opcodes beside the real ones.

import Comparing
import Linting
import OpcodeKit
import Opcodes
import Profiling
import Rendering
import Reporting
import Swapping
import TestOpcodes
import Validating
import WidgetOpcodes

let jobs = JobRegistry([
  RenderJob.self, CompileJob.self, LintJob.self, BuiltinsJob.self, CompareJob.self,
  BenchmarkJob.self, CountJob.self, ExploreJob.self, ValidateJob.self, ProfileJob.self,
  VariantsJob.self, ThreadsJob.self, VoicesJob.self, RecordJob.self, CheckJob.self,
  PortraitJob.self, PieceJob.self,
  PieceTimingJob.self,
])

WidgetHost.current = .panels
Worker.serve(jobs) { csound in
  Library.install(in: csound)
  var registry = CsoundRegistry(csound)
  registerFaultyLadders(in: &registry)
}
