import CsoundLive
import Foundation
import Opcodes

// A loop station: what comes in is recorded into a loop in time with a beat, and each round adds to it.
// LoopStation [OUTPUT [INPUT [TEMPO]]]; Enter records a round, q ends.
let words = Array(CommandLine.arguments.dropFirst())
let output = words.first ?? "default"
let input = words.dropFirst().first ?? "default"
let tempo = words.dropFirst(2).first.flatMap(Double.init) ?? 120

// A bar of four beats is a table of whole frames, which LOOPTIME plays in time. What comes in was played to what
// was heard, and belongs as much earlier as it takes from input to output.
let orchestra = """
  0dbfs = 1
  nchnls = 2
  nchnls_i = 2
  gibar = round(sr * 240 / \(tempo))
  giloop ftgen 0, 0, -gibar, -2, 0
  chn_k "late", 1
  chn_k "record", 1
  chn_k "bar", 2
  instr Loop
    ilate chnget "late"
    kpress chnget "record"
    kwaits init 0
    krecords init 0
    kbar init 0
    klast init 1
    ibegin times
    aplace phasor sr / gibar, frac(1000 + (ibegin * sr - ilate) / gibar)
    kplace downsamp aplace
    kwaits = kpress == 1 ? 1 : kwaits
    if kplace < klast then
      krecords = kwaits
      kwaits = 0
      kbar += 1
    endif
    klast = kplace
    aloop LOOPTIME giloop, 4, 240 * sr / gibar
    ain, aright ins
    awritten table aplace * gibar + 0.5, giloop, 0, 0, 1
    tablew awritten + ain * krecords, aplace * gibar + 0.5, giloop, 0, 0, 1
    outs aloop, aloop
    chnset kbar, "bar"
  endin
  """
let performance = Performance(
  Piece(.orchestra(orchestra, score: "f 0 86400"), registering: { Library.install(in: $0) }),
  settings: Settings(device: .init(output), input: input)
) { notice in
  if case .ended(_, let failure?) = notice { print(failure.message) }
  if case .xruns(let count) = notice { print("\(count) xruns") }
}
let late = ControlValue("late")
let record = Trigger("record")
let bar = ObservedValue("bar")
do {
  try performance.add(late, record, bar)
  let format = try performance.play()
  late.value = Double(format.roundTrip ?? 0)
  try performance.send(line: "i \"Loop\" 0.1 86400")
  let milliseconds = Int(1000 * Double(format.roundTrip ?? 0) / format.sampleRate)
  print(
    "\(tempo) beats a minute, \(milliseconds) ms from input to output. Enter records the next bar.")
  while performance.isPlaying, let line = readLine(), line != "q" {
    record.press()
    print("bar \(Int(bar.value) + 1) is recorded")
  }
  performance.stop()
} catch {
  print(error.message)
  exit(error.exitCode)
}
