public import CsoundHost
import Foundation

extension Profile {
  /// The names on the path from an instrument to a call: the instrument, then place and opcode of
  /// each call.
  private func frames(_ index: Int) -> [String] {
    let call = calls[index]
    let above = call.caller.map(frames) ?? [call.body]
    let file = files.indices.contains(call.file) ? files[call.file].path : "compiled in performance"
    let place = "\((file as NSString).lastPathComponent):\(call.line)"
    return above + ["\(place) \(call.opcode)"]
  }

  /// The calls' own nanoseconds or instructions; performance and init apart.
  public var stacks: Stacks { Stacks(calledStacks) }

  private var calledStacks: [(frames: [String], weight: Int)] {
    var stacks: [(frames: [String], weight: Int)] = []
    let unit = instructions == nil ? 1e9 : 1
    for index in calls.indices {
      let names = frames(index)
      for (seconds, suffix) in [(calls[index].seconds, []), (calls[index].initSeconds, ["init"])] {
        let weight = Int((seconds * unit).rounded())
        if weight > 0 { stacks.append((names + suffix, weight)) }
      }
    }
    if instructions != nil {
      stacks.append((["Csound itself"], Int(engine.seconds)))
      return stacks
    }
    for (name, seconds) in [
      ("events and notes", engine.events), ("between notes", engine.notes),
      ("output", engine.output),
    ] {
      stacks.append((["Csound itself", name], Int((seconds * 1e9).rounded())))
    }
    return stacks
  }

  public var speedscope: Speedscope {
    stacks.speedscope(
      (path as NSString).lastPathComponent, unit: instructions == nil ? "nanoseconds" : "none")
  }
}
