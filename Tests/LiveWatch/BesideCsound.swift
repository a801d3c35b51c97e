import Foundation
import HarnessBase
import TestSupport

/// One run of a player on the rig.
private struct Run {
  /// Seconds until the device had its first sound, and to the end.
  var start = Double.nan
  var wall = 0.0
  /// Seconds of the processors.
  var cpu = 0.0
  var xruns: Int?

  init(_ program: String, _ words: [String], sound: String, count: String) {
    func used() -> Double {
      var usage = rusage()
      getrusage(RUSAGE_CHILDREN.rawValue, &usage)
      let (user, system) = (usage.ru_utime, usage.ru_stime)
      let microseconds = user.tv_usec + system.tv_usec
      return Double(user.tv_sec + system.tv_sec) + 1e-6 * Double(microseconds)
    }
    let before = used()
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = words
    (process.standardInput, process.standardOutput, process.standardError) = (
      FileHandle.nullDevice, FileHandle.nullDevice, FileHandle.nullDevice
    )
    let begin = Date()
    guard (try? process.run()) != nil else { return }
    while process.isRunning {
      var status = stat()
      if start.isNaN, stat(sound, &status) == 0, status.st_size > 0 {
        start = Date().timeIntervalSince(begin)
      }
      usleep(1000)
    }
    process.waitUntilExit()
    (wall, cpu) = (Date().timeIntervalSince(begin), used() - before)
    xruns = (try? String(file: count)).flatMap {
      Int($0.trimmingCharacters(in: .whitespacesAndNewlines))
    }
  }

  var text: String {
    String(format: "%9.3f %9.2f %9.3f", start, wall, cpu)
      + (xruns.map { String(format: "%7d", $0) } ?? "      -")
  }
}

/// The program that ./opcodekit play starts.
let player = products + "/opcodekit-play"

/// A run of each player on the rig, at a period. `oursFirst` says which begins.
private func play(_ piece: String, period: Int, oursFirst: Bool = true) -> (ours: Run, csound: Run)
{
  func device(_ sound: String, _ count: String) -> String {
    Rig.name(["FILE=\(sound)", "FORMATS=S16_LE", "COUNT=\(count)"])
  }
  let files = (0..<4).map { _ in Rig.file() }
  setenv("OPCODEKIT_ROOT", root, 1)
  func ours() -> Run {
    Run(
      player,
      ["play", piece, "--device", device(files[0], files[1]), "--period", "\(period)"],
      sound: files[0], count: files[1])
  }
  func csound() -> Run {
    Run(
      "/usr/bin/csound",
      [
        "-d", "-m0", "-+rtaudio=alsa", "-odac:" + device(files[2], files[3]), "-b", "\(period)",
        "-B", "\(3 * period)", piece,
      ], sound: files[2], count: files[3])
  }
  guard !oursFirst else { return (ours(), csound()) }
  let first = csound()
  return (ours(), first)
}

/// Plays a piece of four voices by both, for a minute and for two seconds, in turns, and prints what they took of the
/// processors, with start and end. Periods have 256 frames.
func printCosts(rounds: Int) {
  print("seconds  rounds      play    csound  ratio  from–to")
  for (seconds, rounds) in [(2, 5 * rounds), (60, rounds)] {
    let piece = Rig.file() + ".csd"
    let notes = [110, 165, 220, 330].map { "i 1 0 \(seconds) \($0)" }
    try? """
    instr 1
      asaw vco2 0.1, p4
      ksweep lfo 800, 0.3
      alow moogladder asaw, 1200 + ksweep, 0.5
      aleft, aright reverbsc alow, alow, 0.7, 8000
      outs alow + aleft, alow + aright
    endin
    """.csd(score: notes.joined(separator: "\n"), ksmps: 64, channels: 2).save(to: piece)
    // The first run of a program also loads it from disk.
    _ = play(piece, period: 256)
    let runs = (0..<rounds).map { play(piece, period: 256, oursFirst: $0 % 2 == 0) }
    let ratios = runs.map { $0.ours.cpu / $0.csound.cpu }.sorted()
    print(
      String(
        format: "%7d %7d %9.3f %9.3f %6.2f  %.2f–%.2f", seconds, rounds,
        runs.map(\.ours.cpu).sorted().median, runs.map(\.csound.cpu).sorted().median,
        ratios.median, ratios[0], ratios[rounds - 1]))
    fflush(nil)
    unlink(piece)
  }
}

/// Plays a piece by both at shorter and shorter periods, or at these, three of them in a buffer, and prints what each
/// took.
/// csound 6.18 ignores -B: its buffer is 1024 frames, or two periods where those are more.
func printBesideCsound(_ piece: String, _ periods: [Int]) {
  print("            opcodekit play                        csound")
  print("period      start      wall       CPU  xruns      start      wall       CPU  xruns")
  for period in periods.isEmpty ? [1024, 512, 256, 128, 64, 32, 16] : periods {
    let (ours, csound) = play(piece, period: period)
    print("\(String(format: "%6d", period))  \(ours.text)  \(csound.text)")
    fflush(nil)
  }
}
