import CsoundLive
import Foundation

// Plays a melody, closes a filter over it by hand, shows the level, and records it all.
let orchestra = """
  0dbfs = 1
  nchnls = 2
  chn_k "cutoff", 1
  chn_k "level", 2
  instr Pluck
    kcutoff chnget "cutoff"
    aenv expsegr 0.4, p3, 0.01, 0.1, 0.001
    asaw vco2 1, cpsmidinn(p4)
    alow moogladder asaw * aenv, port(kcutoff, 0.02), 0.3
    chnset rms(alow), "level"
    outs alow, alow
  endin
  """
// Device and recording are words of the command line: Melody [DEVICE [FILE]].
let words = CommandLine.arguments.dropFirst()
let device = words.first ?? "default"
let recording = words.dropFirst().first ?? "melody.wav"

// The listener is told what happens, never on the audio thread.
let performance = Performance(
  Piece(.orchestra(orchestra, score: "f 0 60"), isSampleAccurate: true),
  settings: Settings(device: .init(device))
) { notice in
  switch notice {
  case .started(let format): print("plays at \(Int(format.sampleRate)) Hz")
  case .xruns(let count): print("\(count) xruns")
  default: break
  }
}

// Bindings: a value that Csound reads, a value that it sets.
let cutoff = ControlValue("cutoff")
let level = ObservedValue("level")
cutoff.value = 6000

do {
  try performance.add(cutoff, level)
  let format = try performance.play(recording: recording)

  // A melody on exact samples: a note each eighth of a second, from an eighth of a second from now on.
  let begin = performance.frame + Int(format.sampleRate / 8)
  for (index, note) in [60, 63, 67, 72, 70, 67, 63, 58].enumerated() {
    try performance.send(
      "i", [1, 0, 0.2, Double(note)], at: begin + index * Int(format.sampleRate / 8))
  }
  for step in 0..<12 {
    cutoff.value = 6000 * pow(0.75, Double(step))
    Thread.sleep(forTimeInterval: 0.1)
    print(String(repeating: "#", count: Int(200 * level.value)))
  }
  performance.stop()
} catch {
  print(error.message)
  exit(error.exitCode)
}
