import CWatch
import CsoundLive
import Foundation
import TestSupport

// What a live engine is watched for, apart from other engines, whose plugins come and go while this looks at all
// libraries, or for longer than tests may take. Times and seconds are of sound.
//
// LiveWatch DEVICE FILE [allocating|locking]: plays for a moment and prints how often the audio thread allocated and locked
//   between k-cycles.
// LiveWatch cycles N: plays for a moment N times and prints how many descriptors and pages of memory stayed.
// LiveWatch hour [SECONDS [KSMPS [PERIOD [SPEED]]]]: plays on the rig, an hour at 20 times the speed, ksmps 64 and
//   period 64 unless given, and prints how many frames differ from an offline render, how long the delay was at the
//   beginning and at the end, and how much memory was in use.
// LiveWatch recorder PIECE.csd [KSMPS [ROUNDS]]: what the flight recorder costs, in processor time.

/// Watches the audio thread from the end of each k-cycle to the beginning of the next.
final class Watch: ChannelBinding {
  func setUp(_ performance: Performance) -> [ChannelLink] {
    [ChannelLink(before: { _ in watch_leave() }, after: { _ in watch_enter() }, context: nil)]
  }
}

nonisolated(unsafe) var kept: [Int] = []

/// Does what it must not.
final class Allocating: ChannelBinding {
  func setUp(_ performance: Performance) -> [ChannelLink] {
    [
      ChannelLink(
        before: nil, after: { _ in kept = [Int](repeating: kept.count, count: 100) }, context: nil)
    ]
  }
}

let words = CommandLine.arguments
/// Does the other thing that it must not.
final class Locking: ChannelBinding {
  func setUp(_ performance: Performance) -> [ChannelLink] {
    let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    pthread_mutex_init(mutex, nil)
    return [
      ChannelLink(
        before: nil,
        after: { memory in
          let mutex = memory!.assumingMemoryBound(to: pthread_mutex_t.self)
          pthread_mutex_lock(mutex)
          pthread_mutex_unlock(mutex)
        }, context: mutex)
    ]
  }
}

/// The number at a place of the command line.
func number(_ place: Int, else usual: Double) -> Double {
  words.count > place ? Double(words[place]) ?? usual : usual
}
switch words.count > 1 ? words[1] : "" {
case "recorder":
  try measureRecorder(
    words[2], ksmps: words.count > 3 ? words[3] : "32", rounds: Int(number(4, else: 5)))
  exit(0)
case "cycles":
  printRemains(of: Int(number(2, else: 1000)))
  exit(0)
case "hour":
  printLongRun(
    seconds: number(2, else: 3600), ksmps: Int(number(3, else: 64)),
    period: Int(number(4, else: 64)), speed: number(5, else: 20))
  exit(0)
default: break
}
let orchestra = """
  \(header())
  chn_k "level", 3
  instr 1
    klevel chnget "level"
    chnset klevel * 2, "twice"
    out a(klevel)
  endin
  """
let performance = Performance(
  Piece(.orchestra(orchestra, score: "i 1 0 0.6")),
  settings: Settings(device: .init(words[1]), period: 100))
let level = ControlValue("level")
watch_install()
// The loop and the engine are linked into this program.
watch_install_program()
do {
  try performance.add(Watch(), level, ObservedValue("twice"), ObservedValue("nobody"))
  if words.last == "allocating" { try performance.add(Allocating()) }
  if words.last == "locking" { try performance.add(Locking()) }
  try performance.play(recording: words[2])
  // Values, commands, a recording and a mixer.
  let mixer = try performance.mixer()
  let group = try mixer.addGroup()
  for step in 0..<20 {
    level.value = Double(step) / 40
    try mixer.set(group, volume: 1 / Double(1 + step))
    usleep(10_000)
  }
  performance.wait()
  let report = watch_result()
  print("\(report.allocations.count) allocations, \(report.locks.count) locks")
  withExtendedLifetime(mixer) {}
} catch {
  print(error.message)
  exit(error.exitCode)
}
