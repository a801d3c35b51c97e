public import CCsound
import CSwap
import Foundation
public import HarnessBase
import Synchronization

/// One version of the opcodes of a library: their signatures and the code of their passes.
public struct OpcodeCode: @unchecked Sendable {
  /// The signature of an overload. A new version with the same signature can take over in a note that plays.
  struct Signature: Hashable {
    var name: String
    var outputs: String
    var inputs: String
    var headBytes: Int
    var hasPerformance: Bool
  }

  /// A function that calls its first argument for each overload, such as the `opcodekit_overloads` of a plugin.
  public typealias Description = (
    @escaping @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<ccs_overload>) -> Void,
    UnsafeMutableRawPointer?
  ) -> Void

  /// In the order in which Csound is to try the overloads.
  private(set) var signatures: [Signature] = []
  var passes: [Signature: swap_passes] = [:]

  /// The opcodes of a library in this process.
  public init(describedBy describe: Description) {
    withUnsafeMutablePointer(to: &self) { code in
      describe({ $0?.assumingMemoryBound(to: OpcodeCode.self).pointee.add($1.pointee) }, code)
    }
  }

  /// The opcodes of a plugin. Earlier versions stay loaded, and so will this one, as notes may still use them. A path
  /// that was loaded before gives the version that was loaded then.
  public init(plugin path: String) throws(Failure) {
    guard let library = dlopen(path, RTLD_NOW | RTLD_LOCAL) else {
      throw .badInput("'\(path)' cannot be loaded: \(String(cString: dlerror()))")
    }
    guard let symbol = dlsym(library, "opcodekit_overloads") else {
      throw .badInput(
        "'\(path)' does not tell of its opcodes; build it with this OpcodeKit and with '@Plugin' before"
          + " its library.")
    }
    typealias Describe =
      @convention(c) (
        @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<ccs_overload>) -> Void,
        UnsafeMutableRawPointer?
      ) -> Void
    let describe = unsafeBitCast(symbol, to: Describe.self)
    self.init(describedBy: { describe($0, $1) })
  }

  private mutating func add(_ overload: ccs_overload) {
    let signature = Signature(
      name: String(cString: overload.name), outputs: String(cString: overload.outputs),
      inputs: String(cString: overload.inputs), headBytes: overload.head_bytes,
      hasPerformance: overload.perform != nil)
    guard passes[signature] == nil else { return }
    signatures.append(signature)
    passes[signature] = swap_passes(
      initialize: unsafeBitCast(overload.initialize, to: swap_function?.self),
      perform: unsafeBitCast(overload.perform, to: swap_function?.self),
      block_bytes: overload.block_bytes,
      layout: Self.number(ofLayout: String(cString: overload.layout)))
  }

  private static let layouts = Mutex<[String: Int64]>([:])

  /// A number that identifies the layout of a state within this process; 0 if the layout is unknown.
  private static func number(ofLayout text: String) -> Int64 {
    guard !text.isEmpty else { return 0 }
    return layouts.withLock { layouts in
      let number = layouts[text] ?? Int64(layouts.count + 1)
      layouts[text] = number
      return number
    }
  }

  /// The passes of these signatures, in memory that is never freed. All of the signatures must exist.
  func table(of signatures: [Signature]) -> UnsafePointer<swap_passes> {
    let table = UnsafeMutablePointer<swap_passes>.allocate(capacity: max(1, signatures.count))
    for (index, signature) in signatures.enumerated() {
      (table + index).initialize(to: passes[signature]!)
    }
    return UnsafePointer(table)
  }

  /// Which opcodes are new, gone or called differently in the next version, in words; nil if all signatures are equal.
  func change(to next: OpcodeCode) -> String? {
    let (old, new) = (Set(signatures), Set(next.signatures))
    guard old != new else { return nil }
    func names(_ signatures: Set<Signature>) -> Set<String> {
      Set(signatures.map { String($0.name.prefix { $0 != "." }) })
    }
    let (added, removed) = (names(new.subtracting(old)), names(old.subtracting(new)))
    let parts = [
      ("new", added.subtracting(names(old))), ("gone", removed.subtracting(names(new))),
      (
        "called in another way",
        added.union(removed).intersection(names(old)).intersection(names(new))
      ),
    ].filter { !$0.1.isEmpty }
    return parts.map { "\($0.1.sorted().joined(separator: ", ")) is \($0.0)" }
      .joined(separator: ", ")
  }
}
