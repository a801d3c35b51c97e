/// What some of the compiler's messages mean for an opcode.
package struct CompilerAdvice: Sendable {
  /// A part of the message.
  package let message: String
  package let meaning: String

  package static let all = [
    CompilerAdvice(
      message: "called function is not available in this module",
      meaning:
        "'perform' calls what the compiler cannot look into: a C or Foundation function (Math has"
        + " Csound's), a function of another package that is not @inlinable, or, in a debug build whose"
        + " manifest lacks the kit's flags, one of another file."),
    CompilerAdvice(
      message: "can cause metadata allocation or locks",
      meaning:
        "'perform' uses what lies on the heap: an Array (also one written [1, 2]), a class, 'any"
        + " Protocol' or text; take members, a Buffer made in init, or a type parameter."),
    CompilerAdvice(
      message: "this code performs reference counting operations which can cause locking",
      meaning:
        "'perform' holds something on the heap, such as an Array or a String; take a Buffer made in"
        + " init."),
    CompilerAdvice(
      message: "global/static variable initialization can cause locking",
      meaning:
        "a global is made when it is first used; take a member that init sets, or a 'static var"
        + " … { }' that only computes."),
    CompilerAdvice(
      message: "non-bitwise-copyable type",
      meaning: "an opcode's state lies in Csound's memory: plain numbers, structs of them, Buffer."),
  ]

  /// What Swift's package manager prints without its progress, and without what it always says of the
  /// flags that the compiler's proof needs.
  static func withoutProgress(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false)
      .filter { line in
        !line.contains(/^(\[\d+\/|Building for|Build (complete|of product))/)
          && !line.contains("'-enable-batch-mode'")
          && !line.hasPrefix("remark: Incremental compilation has been disabled")
      }
      .joined(separator: "\n")
  }
}
