import Foundation
import HarnessBase

/// What a plugin's debug information and its machine code say about instructions that ran.
struct PluginCode {
  /// A function that an instruction belongs to: its own, or one that was put in its place.
  struct Frame: Decodable {
    var function: String
    var file: String
    /// 0 if the compiler does not say.
    var line: Int

    enum CodingKeys: String, CodingKey {
      case function = "FunctionName"
      case file = "FileName"
      case line = "Line"
    }
  }

  struct Instruction {
    var mnemonic: Substring
    var operands: Substring

    /// Where a jump or a call in the same library goes.
    var target: UInt64? {
      guard let word = operands.split(separator: " ").first, word.hasPrefix("0x") else {
        return nil
      }
      return UInt64(word.dropFirst(2), radix: 16)
    }

    /// The function of another library that it calls.
    var imported: String? {
      operands.firstMatch(of: /<(\w+)@plt>/).map { String($0.1) }
    }
  }

  /// The frames of each address, the innermost first; the last one is the function that has the address.
  let frames: [UInt64: [Frame]]
  /// The instructions of all functions that have one of these addresses.
  private(set) var instructions: [UInt64: Instruction] = [:]

  init(_ addresses: [UInt64], of symbols: String) throws(Failure) {
    struct Entry: Decodable {
      var address: String
      var frames: [Frame]
      enum CodingKeys: String, CodingKey {
        case address = "Address"
        case frames = "Symbol"
      }
    }
    let words = addresses.map { "0x" + String($0, radix: 16) }
    var frames: [UInt64: [Frame]] = [:]
    // As many addresses as fit into a command's arguments.
    for start in stride(from: 0, to: words.count, by: 4000) {
      let said = try ChildProcess.run(
        requiredProgramOfSwift("llvm-symbolizer"),
        ["--obj=" + symbols, "--output-style=JSON", "--no-demangle"]
          + words[start..<min(start + 4000, words.count)])
      let entries = try? JSONDecoder().decode([Entry].self, from: Data(said.output.utf8))
      guard let entries else {
        throw .badInput("llvm-symbolizer cannot read '\(symbols)':\n\(said.errors)")
      }
      for entry in entries {
        guard let address = UInt64(entry.address.dropFirst(2), radix: 16) else { continue }
        frames[address] = entry.frames.map {
          var frame = $0
          frame.file = (frame.file as NSString).standardizingPath
          return frame
        }
      }
    }
    self.frames = frames
    try disassemble(
      Set(frames.values.compactMap(\.last?.function).filter { !$0.isEmpty }), of: symbols)
  }

  private mutating func disassemble(
    _ functions: Set<String>, of symbols: String
  ) throws(Failure) {
    guard !functions.isEmpty else { return }
    let said = try ChildProcess.run(
      requiredProgramOfSwift("llvm-objdump"),
      [
        "--disassemble-symbols=" + functions.sorted().joined(separator: ","), "--no-show-raw-insn",
        symbols,
      ])
    try said.require(.badInput, "llvm-objdump cannot read '\(symbols)':\n")
    for line in said.output.split(separator: "\n") {
      guard let colon = line.firstIndex(of: ":"),
        let address = UInt64(line[..<colon].drop { $0 == " " }, radix: 16)
      else { continue }
      let words = line[line.index(after: colon)...].split(
        maxSplits: 1, whereSeparator: \.isWhitespace)
      guard let mnemonic = words.first else { continue }
      instructions[address] = Instruction(
        mnemonic: mnemonic, operands: words.count > 1 ? words[1] : "")
    }
  }
}

extension PluginCode.Instruction {
  /// How many numbers it computes at once: 1 is scalar. 0 if it computes with no floating-point numbers. The names are
  /// those of x86-64.
  var lanes: Int {
    let name = mnemonic.drop { $0 == "v" }
    let works = [
      "add", "sub", "mul", "div", "sqrt", "min", "max", "fm", "fnm", "round", "cmp", "ucomi",
      "comi",
    ]
    guard works.contains(where: name.hasPrefix) else { return 0 }
    if name.hasSuffix("sd") || name.hasSuffix("ss") { return 1 }
    guard name.hasSuffix("pd") || name.hasSuffix("ps") else { return 0 }
    let bytes = operands.contains("zmm") ? 64 : operands.contains("ymm") ? 32 : 16
    return bytes / (name.hasSuffix("pd") ? 8 : 4)
  }

  /// How many numbers it moves at once, from or to memory; 0 if it does not.
  var movedLanes: Int {
    let name = mnemonic.drop { $0 == "v" }
    guard name.hasPrefix("mov"), operands.contains("(") else { return 0 }
    if name == "movsd" || name == "movss" { return 1 }
    guard name.hasPrefix("movup") || name.hasPrefix("movap") else { return 0 }
    // Two words of 8 bytes can be anything.
    return operands.contains("zmm") ? 8 : operands.contains("ymm") ? 4 : 0
  }

  var isJump: Bool { mnemonic.hasPrefix("j") }
  /// Where a check of the compiler's ends that has failed.
  var isTrap: Bool { mnemonic.hasPrefix("ud2") }
}
