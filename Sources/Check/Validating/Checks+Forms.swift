import Probing
import Foundation
import HarnessBase
import Linting

extension Check {
  /// The numbers of outputs that an opcode can be called with.
  static let outputs = [
    Check(
      "edges-outputs",
      "With each number of outputs, and with a stereo table, all are zero outside the note and written in it."
    ) { examination throws(Outcome) in
      try examination.requireAudio()
      let forms = try forms(examination)
      guard !forms.isEmpty else { throw .skipped("it takes one number of outputs only") }
      var isPlayed = false
      for (what, plan) in forms {
        for edge in [Edge.lateStart, .earlyEnd] {
          let take = try examination.play(
            sampleAccurate(edge), Probe.Settings(vectors: .marked), plan: plan)
          try examination.requireReturn(take)
          guard take.errors.isEmpty, take.first.failedInits == 0 else { continue }
          isPlayed = true
          for kind in [
            NoteTake.Violation.beforeStart, .afterEnd, .notWritten, .wroteBehind, .wroteBefore,
          ] {
            guard let text = take.first.violations[kind] else { continue }
            throw .failed("with \(what), \(text)")
          }
        }
      }
      guard isPlayed else { throw .skipped("it refuses other numbers of outputs") }
    }
  ]

  /// The numbers of arguments that an opcode can be called with. Each has a process of its own.
  static let counts = [
    Check(
      "arguments-count",
      "With any number of variadic arguments it plays or gives a clear error."
    ) { examination throws(Outcome) in
      guard !CallPlan.variadicCounts(of: examination.signature).isEmpty else {
        throw .skipped("it takes one number of arguments only")
      }
      let take = try examination.play(Scene(), Probe.Settings(vectors: .marked))
      try examination.requireOrderly(take, "this number of arguments")
    }
  ]

  /// The calls with one and two outputs, and with a stereo table, that the other checks do not try, each
  /// with its description.
  private static func forms(
    _ examination: Examination
  ) throws(Outcome) -> [(what: String, plan: CallPlan)] {
    let plan = examination.plan
    var found: [(String, CallPlan)] = []
    for count in [1, 2] {
      guard let form = plan.with(outputs: count, of: examination.signature) else { continue }
      let what = count.counted("output")
      if count != plan.outputs.count { found.append((what, form)) }
      guard count == 2, let table = plan.inputs.firstIndex(where: \.isTable) else { continue }
      var stereo = form
      stereo.inputs[table].data.table = "0, 1, \"\(try stereoFile(examination))\", 0, 0, 0"
      found.append(("\(what) and a stereo table", stereo))
    }
    return found
  }

  /// A sound file with 9000 frames of a different sine in each channel, beside the orchestra.
  private static func stereoFile(_ examination: Examination) throws(Outcome) -> String {
    let path = (examination.path as NSString).deletingPathExtension + ".wav"
    let samples = (0..<18_000).map { place in
      0.5 * cos((place % 2 == 0 ? 0.05 : 0.03) * Double(place / 2))
    }
    do throws(Failure) {
      try Sound(sampleRate: 48_000, channelCount: 2, samples: samples).write(to: path)
    } catch {
      throw .skipped(error.message)
    }
    return path
  }
}
