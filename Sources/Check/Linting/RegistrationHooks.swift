import CCsound
import Synchronization

package typealias PassFunction =
  @convention(c) (UnsafeMutablePointer<CSOUND>?, UnsafeMutableRawPointer?) -> CInt

/// The signatures registered so far while a plugin is recorded.
let registered = Mutex<[Signature]>([])

/// The signatures in a list of entries. The list ends with an entry without a name or, if `count` is
/// positive, after `count` entries at the latest.
func registeredSignatures(
  in list: UnsafePointer<OENTRY>, count: Int, _ registration: Signature.Registration
) -> [Signature] {
  var signatures: [Signature] = []
  while count <= 0 || signatures.count < count, list[signatures.count].opname != nil {
    signatures.append(
      Signature(ccs_registration_of(list + signatures.count), registration))
  }
  return signatures
}

extension Signature {
  init(_ registration: ccs_registration, _ way: ccs_registration_way) {
    self.init(
      registration,
      way == ccs_by_member ? .member : way == ccs_by_list ? .list : .exported)
  }

  fileprivate init(_ registration: ccs_registration, _ way: Registration) {
    let functions = [
      registration.initialize, registration.perform, registration.audio, registration.deinit,
    ]
    self.init(
      name: Self.text(registration.name), outputs: Self.text(registration.outputs),
      inputs: Self.text(registration.inputs), blockBytes: registration.block_bytes,
      thread: Int(registration.thread), flags: Int(registration.flags),
      slots: zip(Slot.allCases, functions).compactMap { $1 == nil ? nil : $0 }, registration: way,
      functions: functions.map { UInt(bitPattern: unsafeBitCast($0, to: Int.self)) })
  }

  private static func text(_ start: UnsafePointer<CChar>?) -> String {
    start.map { String(cString: $0) } ?? ""
  }
}
