public import CCsound
import CSwap
import Foundation
public import HarnessBase
import Synchronization

/// One version of the opcodes of a library: what they are called with, and the code of their passes.
public struct OpcodeCode: @unchecked Sendable {
  /// What a call of an overload looks like; versions that agree in it can follow each other in a note.
  struct Signature: Hashable {
    var name: String
    var outputs: String
    var inputs: String
    var headBytes: Int
    var hasPerformance: Bool
  }

  /// A function that tells of each overload, such as the `opcodekit_overloads` of a plugin.
  public typealias Description = (
    @escaping @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<ccs_overload>) -> Void,
    UnsafeMutableRawPointer?
  ) -> Void

  /// In the order in which Csound is to try them.
  private(set) var signatures: [Signature] = []
  private var passes: [Signature: swap_passes] = [:]

  /// Of a library of this process.
  public init(describedBy describe: Description) {
    withUnsafeMutablePointer(to: &self) { code in
      describe({ $0?.assumingMemoryBound(to: OpcodeCode.self).pointee.add($1.pointee) }, code)
    }
  }

  /// Of a plugin, which is loaded beside all that were before, and stays: notes may still need it. A version under a
  /// path that was loaded once is that one again.
  public init(plugin path: String) throws(Failure) {
    guard let library = dlopen(path, RTLD_NOW | RTLD_LOCAL) else {
      throw Failure(.badInput, "'\(path)' cannot be loaded: \(String(cString: dlerror()))")
    }
    guard let symbol = dlsym(library, "opcodekit_overloads") else {
      throw Failure(
        .badInput,
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

  /// A number for each layout there was in this process; 0 for one that is not known.
  private static func number(ofLayout text: String) -> Int64 {
    guard !text.isEmpty else { return 0 }
    return layouts.withLock { layouts in
      let number = layouts[text] ?? Int64(layouts.count + 1)
      layouts[text] = number
      return number
    }
  }

  /// As if all its states were laid out like those of `other`: what a mistake in the comparison would do.
  func mistaken(for other: OpcodeCode) -> OpcodeCode {
    var code = self
    for (signature, passes) in passes {
      code.passes[signature]!.layout = other.passes[signature]?.layout ?? passes.layout
    }
    return code
  }

  /// The passes of these signatures, in memory that is never freed. The code must have all of them.
  func table(of signatures: [Signature]) -> UnsafePointer<swap_passes> {
    let table = UnsafeMutablePointer<swap_passes>.allocate(capacity: max(1, signatures.count))
    for (index, signature) in signatures.enumerated() {
      (table + index).initialize(to: passes[signature]!)
    }
    return UnsafePointer(table)
  }

  /// What is another from this version to the next, in words; nil where every call stays what it is.
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
