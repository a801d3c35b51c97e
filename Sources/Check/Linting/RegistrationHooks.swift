import CCsound
import Synchronization

package typealias PassFunction =
  @convention(c) (UnsafeMutablePointer<CSOUND>?, UnsafeMutableRawPointer?) -> CInt

/// What has been registered while a plugin was recorded.
let registered = Mutex<[Signature]>([])

/// The entries of a list that ends after `count` of them, if that is above 0, or with one of no name.
func signatures(
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
