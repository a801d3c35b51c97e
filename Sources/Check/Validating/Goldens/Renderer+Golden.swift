import CsoundHost
import Foundation
import HarnessBase
import Rendering

extension Renderer {
  /// Renders an orchestra and writes it as a reference.
  func record(_ job: RecordJob) throws(Failure) -> RecordedSound {
    let path = job.orchestra.path
    let sound = try render(job.orchestra, duration: job.duration)
    guard sound.frameCount > 0 else { throw .badInput("'\(path)' ends before its first sample.") }
    guard sound.channelCount <= 8 else {
      throw .badInput(
        "'\(path)' has \(sound.channelCount) channels; a reference, a FLAC file, has at most 8.")
    }
    if let index = sound.samples.firstIndex(where: { !$0.isFinite }) {
      let frame = index / sound.channelCount
      throw .badInput(
        "'\(path)' puts out NaN or infinity, first at"
          + " \(String(format: "%.4f", Double(frame) / sound.sampleRate)) s (sample \(frame)).")
    }
    let peak = sound.peak
    guard job.maySilent || 20 * log10(peak) >= GoldenRecording.Limits.silence else {
      throw .badInput(
        "'\(path)' is silent, so a recording would check nothing; --allow-silence records it still."
      )
    }
    let scales = sound.scales
    let stored = sound.rounded(to: scales).multiplied(by: scales.map { 1 / $0 })
    let writer = try SoundWriter(
      job.output, format: .flac24, sampleRate: sound.sampleRate, channelCount: sound.channelCount,
      keepsPart: false)
    try stored.samples.withUnsafeBufferPointer { buffer throws(Failure) in
      try writer.write(buffer)
    }
    try writer.close()
    return RecordedSound(
      sampleRate: sound.sampleRate, frames: sound.frameCount, scales: scales, peak: peak)
  }

  /// Renders an orchestra and compares it with its reference.
  func check(_ job: CheckJob) throws(Failure) -> CheckedSound {
    let reference = job.reference
    var expected = try Sound(readingFrom: job.path)
    guard expected.frameCount == reference.frames, expected.channelCount == reference.scales.count
    else {
      throw .badInput(
        "'\(job.path)' has \(expected.frameCount) frames of \(expected.channelCount) channels, but its"
          + " recording says \(reference.frames) of \(reference.scales.count); record it again.")
    }
    expected = expected.multiplied(by: reference.scales)
    expected.sampleRate = reference.sampleRate
    // A render that does not end is stopped one second after the end of the reference.
    let longest = reference.duration + 1
    let actual = try render(job.orchestra, duration: job.duration ?? longest)
    FloatMode.current = .precise
    let isAlike = actual.channelCount == expected.channelCount
    let comparison = try GoldenComparison(
      actual: isAlike ? actual.rounded(to: reference.scales) : actual, expected: expected,
      limits: job.limits, isCutOff: job.duration == nil && actual.duration > longest - 1e-6)
    var checked = CheckedSound(comparison: comparison)
    if !comparison.passed, let evidence = job.evidence {
      do throws(Failure) {
        checked.pictureProblem = try evidence.write(actual, expected, comparison)
      } catch {
        evidence.remove()
        checked.evidenceProblem = error.message
      }
    }
    return checked
  }
}

extension GoldenEvidence {
  /// Removes the files of an earlier check, and the directory if it is empty then.
  func remove() {
    for path in [actual, expected, difference, picture] { unlink(path) }
    rmdir(directory)
  }

  /// Writes the sounds and, if the numbers of channels are the same, the difference and the
  /// picture. Returns why there is no picture, or nil.
  fileprivate func write(
    _ actual: Sound, _ expected: Sound, _ comparison: GoldenComparison
  ) throws(Failure) -> String? {
    try makeDirectory(directory)
    try actual.write(to: self.actual)
    try expected.write(to: self.expected)
    guard actual.channelCount == expected.channelCount else { return "the channels differ" }
    var difference = actual
    let missing = expected.samples.count - actual.samples.count
    difference.samples += Array(repeating: 0, count: max(0, missing))
    for index in expected.samples.indices { difference.samples[index] -= expected.samples[index] }
    try difference.write(to: self.difference)
    let picture = try GoldenPicture(
      actual: actual, expected: expected, difference: difference, comparison)
    return picture.draw(to: self.picture)
  }
}
