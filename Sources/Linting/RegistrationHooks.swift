import CCsound
import Synchronization

// What stands in the place of AppendOpcode while a plugin registers.

package typealias PassFunction =
  @convention(c) (UnsafeMutablePointer<CSOUND>?, UnsafeMutableRawPointer?) -> CInt

typealias AppendFunction =
  @convention(c) (
    UnsafeMutablePointer<CSOUND>?, UnsafePointer<CChar>?, CInt, CInt, CInt, UnsafePointer<CChar>?,
    UnsafePointer<CChar>?, PassFunction?, PassFunction?, PassFunction?
  ) -> CInt

typealias AppendListFunction =
  @convention(c) (UnsafeMutablePointer<CSOUND>?, UnsafePointer<OENTRY>?, CInt) -> CInt

/// Csound's own functions, and what was recorded on the way to them.
struct Hooks: Sendable {
  let append: AppendFunction
  let appendList: AppendListFunction
  var signatures: [Signature] = []
}

let hooks = Mutex<Hooks?>(nil)

let memberHook: AppendFunction = { append(.member, $0, $1, $2, $3, $4, $5, $6, $7, $8, $9) }
let exportedHook: AppendFunction = {
  append(.exported, $0, $1, $2, $3, $4, $5, $6, $7, $8, $9)
}

let listHook: AppendListFunction = { csound, list, count in
  let function = hooks.withLock { hooks in
    if let list { hooks?.signatures += signatures(in: list, count: Int(count), .list) }
    return hooks?.appendList
  }
  return function?(csound, list, count) ?? -1
}

private func append(
  _ registration: Signature.Registration, _ csound: UnsafeMutablePointer<CSOUND>?,
  _ name: UnsafePointer<CChar>?, _ blockBytes: CInt, _ flags: CInt, _ thread: CInt,
  _ outputs: UnsafePointer<CChar>?, _ inputs: UnsafePointer<CChar>?, _ initialize: PassFunction?,
  _ perform: PassFunction?, _ audio: PassFunction?
) -> CInt {
  let function: AppendFunction? = hooks.withLock { hooks in
    hooks?.signatures.append(
      Signature(
        name: string(name), outputs: string(outputs), inputs: string(inputs),
        blockBytes: Int(blockBytes), thread: Int(thread), flags: Int(flags),
        functions: (initialize, perform, audio), registration: registration))
    return hooks?.append
  }
  return function?(
    csound, name, blockBytes, flags, thread, outputs, inputs, initialize, perform, audio) ?? -1
}

/// The entries of a list that ends after `count` of them, if that is above 0, or with one of no name.
func signatures(
  in list: UnsafePointer<OENTRY>, count: Int, _ registration: Signature.Registration
) -> [Signature] {
  var signatures: [Signature] = []
  while count <= 0 || signatures.count < count, let name = list[signatures.count].opname {
    let entry = list[signatures.count]
    signatures.append(
      Signature(
        name: String(cString: name), outputs: string(entry.outypes), inputs: string(entry.intypes),
        blockBytes: Int(entry.dsblksiz), thread: Int(entry.thread), flags: Int(entry.flags),
        functions: (entry.iopadr, entry.kopadr, entry.aopadr), registration: registration))
  }
  return signatures
}

private func string(_ text: UnsafePointer<CChar>?) -> String {
  text.map { String(cString: $0) } ?? ""
}

extension Signature {
  fileprivate init(
    name: String, outputs: String, inputs: String, blockBytes: Int, thread: Int, flags: Int,
    functions: (PassFunction?, PassFunction?, PassFunction?), registration: Registration
  ) {
    let given = [
      (Slot.initialize, functions.0), (.perform, functions.1), (.audio, functions.2),
    ]
    self.init(
      name: name, outputs: outputs, inputs: inputs, blockBytes: blockBytes, thread: thread,
      flags: flags, slots: given.compactMap { $1 == nil ? nil : $0 }, registration: registration,
      functions: given.map { UInt(bitPattern: unsafeBitCast($1, to: Int.self)) })
  }
}
