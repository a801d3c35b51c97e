import Foundation
import Testing

/// Opcodes that take an `a[]` of channels, held to their one-channel forms.
@Suite("Channels side by side in Csound", .serialized)
struct ChannelArrayTests {
  /// An opcode, its arguments after the signal, and how near its two forms are.
  struct Form: CustomTestStringConvertible, Sendable {
    var opcode: String
    var arguments: String
    var limit: Double
    /// Whether what went in can be heard later.
    var hasMemory = true
    var testDescription: String { "\(opcode) \(arguments)" }

    /// A line with the opcode; of several outputs the one at hand is the second.
    func line(_ output: String, _ input: String, areArrays: Bool = true) -> String {
      let brackets = areArrays ? "[]" : ""
      let name = areArrays ? "aothers" : "aother"
      let others = (1...3).map { "\(name)\($0)\(brackets)" }
      let outputs =
        opcode == "STATEVAR" ? [others[0], output, others[1], others[2]] : [output]
      return "\(outputs.joined(separator: ", ")) \(opcode) \(input)\(arguments)"
    }
  }

  static let forms =
    [
      Form(opcode: "MOOGLADDER", arguments: ", kmove, 0.8", limit: 1e-6),
      Form(opcode: "MOOGLADDER", arguments: ", amove, 0.8", limit: 1e-6),
      Form(opcode: "MOOGLADDER", arguments: ", kmove * 4, ashake", limit: 1e-6),
      Form(opcode: "MOOGLADDER", arguments: ", amove * 4, ashake", limit: 1e-6),
      Form(opcode: "STATEVAR", arguments: ", kmove, 3", limit: 1e-12),
      Form(opcode: "STATEVAR", arguments: ", amove, ashake + 1, 5", limit: 1e-12),
      Form(opcode: "LPF18", arguments: ", kmove, 0.8, 1", limit: 1e-6),
      Form(opcode: "LPF18", arguments: ", amove, kmove / 5000, ashake", limit: 1e-6),
      Form(opcode: "SATURATE", arguments: "", limit: 0, hasMemory: false),
      Form(
        opcode: "SATURATE", arguments: ", kmove / 500, 0.5, 0.1, 0.2, 1", limit: 0, hasMemory: false
      ),
    ]
    + ["kmove", "amove"].flatMap { move in
      (1...2).flatMap { quality in
        [
          Form(opcode: "MOOGLADDER", arguments: ", \(move), 0.7, 0, \(quality)", limit: 1e-5),
          Form(opcode: "LPF18", arguments: ", \(move), 0.7, 0, 0, \(quality)", limit: 1e-5),
        ]
      }
    }

  /// Lines that set up `count` signals, the moving controls, and an array for the output.
  static func signals(_ count: Int) -> String {
    """
    asignals[] init \(count)
    \((0..<count).map { "asignals[\($0)] rand 0.9, 0.\($0 + 11), 1" }.joined(separator: "\n"))
    kmove line 300, p3, 4000
    amove line 300, p3, 4000
    ashake oscili 0.9, 50
    """
  }

  @Test(
    "Every channel is what the one-channel form makes of it", arguments: forms,
    [(1, 64), (3, 1), (8, 7), (11, 64)])
  func channels(form: Form, size: (count: Int, ksmps: Int)) throws {
    let count = size.count
    let single = (0..<count).map {
      """
      \(form.line("asingle", "asignals[\($0)]", areArrays: false))
      outch \($0 + 1), asingle, \(count + $0 + 1), afiltered[\($0)]
      """
    }
    let performance = try perform(
      """
      instr 1
        \(Self.signals(count))
        \(form.line("afiltered[]", "asignals"))
        \(single.joined(separator: "\n"))
      endin
      """, score: "i1 0 0.05", ksmps: size.ksmps, channels: 2 * count)
    for channel in 0..<count {
      #expect(
        largestDifference(performance[channel], performance[count + channel]) <= form.limit)
      #expect(performance[channel].contains { abs($0) > 1e-3 })
    }
    if count > 1 { #expect(performance[0] != performance[1]) }
  }

  @Test("A NaN stays in its channel, and is gone after the k-cycle it came in", arguments: forms)
  func notANumber(form: Form) throws {
    let performance = try performNote(
      """
      \(Self.signals(8))
      kcycle init 0
      kcycle += 1
      if kcycle == 3 then
        asignals[2] = sqrt(kcycle - 4)
      endif
      \(form.line("afiltered[]", "asignals"))
      """, heard: "afiltered[1], afiltered[2]", note: "0.05")
    #expect(performance[0].allSatisfy { $0.isFinite })
    #expect(performance[1][..<128].allSatisfy { $0.isFinite })
    #expect(form.hasMemory || performance[1][128..<192].contains { $0.isNaN })
    #expect(performance[1][192...].allSatisfy { $0.isFinite })
    #expect(performance[1][192...].contains { $0 != 0 })
  }

  @Test(
    "An array of another length ends the note with a sentence; other notes play", arguments: forms)
  func otherLength(form: Form) throws {
    let performance = try perform(
      """
      instr 1
        \(Self.signals(4))
        kcycle init 0
        kcycle += 1
        if kcycle == 3 then
          trim asignals, 2
        endif
        \(form.line("afiltered[]", "asignals"))
      endin
      instr 2
        outch 1, oscili:a(1, 100)
      endin
      """, score: "i1 0 0.05\ni2 0 0.05")
    #expect(performance.said("the length of its array has changed since the init pass"))
    #expect(performance[0].last != 0)
  }
}
