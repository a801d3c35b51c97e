import Foundation
import HarnessBase

/// What an opcode's passes cost, line by line of the sources that its author wrote.
package struct LineProfile: Codable, Sendable {
  package struct Line: Codable, Sendable {
    /// The file and the number of the line; nil for what the kit does around the author's code.
    package var file: String?
    package var line: Int
    package var text: String
    /// Instructions in each call, with those of the functions below.
    package var instructions: Double
    /// What the kit's code in this line takes of them, and functions of libraries that it calls, by name.
    package var parts: [Part] = []
    /// How many numbers its instructions compute at once: 1 is scalar, nil if it computes with none.
    package var lanes: Int?
    /// Whether some of its instructions compute with several numbers and others with one.
    package var isMixed = false
    /// Instructions in each call that check whether an index or a whole number is in its range.
    package var checks: Double
    /// Why it does not run in vectors.
    package var reason: LoopRemark.Reason?
    /// Instructions in each call that another form would save, at most; 0 if there is nothing to say.
    package var gain: Double
  }

  package struct Part: Codable, Sendable {
    package var name: String
    package var instructions: Double
  }

  package var opcode: String
  package var rates: String
  package var ksmps: Int
  /// Samples of a call; nil for control opcodes, whose calls are counted as they are.
  package var samplesPerCall: Int?
  /// All instructions of a call, as Callgrind counts them.
  package var instructions: Double
  /// The most expensive first.
  package var lines: [Line]
  package var removals: [LineRemoval]?

  /// What the lines add up to, as a part of all.
  var accounted: Double { lines.reduce(0) { $0 + $1.instructions } / instructions }
}

/// Adds up what instructions cost, by lines.
struct LineCounter {
  struct Place: Hashable {
    var file: String
    var line: Int
  }

  fileprivate struct Sum {
    var count = 0
    var parts: [String: Int] = [:]
    /// Executed instructions by how many numbers they compute, or move, at once.
    var computed: [Int: Int] = [:]
    var moved: [Int: Int] = [:]
    var checks = 0
    var called = 0
    var isInLoop = false
    var reasons: [LoopRemark.Reason] = []
  }

  private let counts: AddressCounts
  private let code: PluginCode
  private let originals: [String: String]
  /// Addresses that ran, sorted.
  private let addresses: [UInt64]
  private var files: [String: Bool] = [:]
  /// The line of each address; nil for the kit's code around the author's.
  private var places: [UInt64: Place] = [:]
  /// The kit's function that an address belongs to, inside the author's line.
  private var inner: [UInt64: String] = [:]

  /// The sources that have lines.
  var sources: Set<String> { Set(places.values.map(\.file)) }

  init(_ counts: AddressCounts, _ code: PluginCode, _ plugin: CodeBuild.Plugin) throws(Failure) {
    (self.counts, self.code, originals) = (counts, code, plugin.originals)
    addresses = counts.own.keys.sorted()
    locate()
    guard !places.isEmpty else {
      throw .badInput(
        "'\(plugin.symbols)' has no debug information for the code that ran; compile it with -g, and link it without"
          + " --strip-all or -s.")
    }
  }

  // MARK: Places

  /// Whether a file is one that the author wrote: it is there, and belongs neither to the kit nor to the system.
  private mutating func isOwn(_ file: String) -> Bool {
    if let known = files[file] { return known }
    let isOwn =
      !file.contains("/usr/") && !file.contains("/@__swiftmacro_")
      && !file.hasPrefix(kitDirectory + "/Sources/")
      && FileManager.default.fileExists(atPath: file)
    files[file] = isOwn
    return isOwn
  }

  private mutating func locate() {
    var own: Set<String> = []
    for address in addresses {
      let frames = code.frames[address] ?? []
      guard let index = frames.firstIndex(where: { $0.line > 0 && isOwn($0.file) }) else {
        continue
      }
      let frame = frames[index]
      own.insert(frame.function)
      places[address] = Place(file: originals[frame.file] ?? frame.file, line: frame.line)
      // Without Swift's own functions.
      inner[address] =
        frames[..<index].last {
          !$0.function.hasPrefix("$") || $0.function.hasPrefix("$e9OpcodeKit")
        }?.function
    }
    // Some instructions of the author's functions have no line, such as those that vectors need: they count to the
    // line before them.
    var last: (function: String?, place: Place)?
    for address in addresses {
      let frames = code.frames[address] ?? []
      let function = frames.last?.function
      if let place = places[address] {
        last = (function, place)
      } else if let last, last.function == function,
        frames.contains(where: { own.contains($0.function) })
      {
        places[address] = last.place
      }
    }
  }

  /// The functions whose instructions are counted with the line that calls them: those of the kit in which nothing of
  /// the author's runs.
  private func calledFunctions() -> Set<String> {
    var functions = Set(counts.calls.keys.compactMap { $0.target.flatMap(function) })
    functions.subtract(counts.entered.compactMap(function))
    functions.subtract(places.keys.compactMap(function))
    while true {
      let calling = counts.calls.keys.filter { call in
        guard let caller = function(call.source), let target = call.target.flatMap(function) else {
          return false
        }
        return functions.contains(caller) && !functions.contains(target)
      }
      guard !calling.isEmpty else { return functions }
      functions.subtract(calling.compactMap { function($0.source) })
    }
  }

  private func function(_ address: UInt64) -> String? { code.frames[address]?.last?.function }

  // MARK: Sums

  /// The lines, with what each costs in a call, and what is to be said about them.
  func lines(calls: Double, _ remarks: [LoopRemark]) -> [LineProfile.Line] {
    let inside = calledFunctions()
    var sums: [Place?: Sum] = [:]
    for (address, count) in counts.own {
      guard function(address).map(inside.contains) != true else { continue }
      sums[places[address], default: Sum()].add(count, code.instructions[address], inner[address])
    }
    for (call, count) in counts.calls {
      guard function(call.source).map(inside.contains) != true else { continue }
      let target = call.target.flatMap(function)
      // Any other function of the library has lines of its own.
      guard call.target == nil || target.map(inside.contains) == true else { continue }
      let name = target ?? code.instructions[call.source]?.imported ?? call.name
      sums[places[call.source], default: Sum()].addCall(count, name)
    }
    let loops = markJumps(&sums)
    for (function, remarks) in Dictionary(grouping: remarks, by: \.function) {
      explain(&sums, function, remarks, loops.filter { $0.function == function }.map(\.lines))
    }
    let names = Demangled(Set(sums.values.flatMap(\.parts.keys)))
    let whole = sums.values.reduce(0) { $0 + $1.count }
    var texts: [String: [Substring]] = [:]
    let lines = sums.map { place, sum -> LineProfile.Line in
      if let file = place?.file, texts[file] == nil {
        texts[file] = (try? String(contentsOfFile: file, encoding: .utf8))?.textLines
      }
      return sum.line(place, texts[place?.file ?? ""], names, calls: calls, whole: whole)
    }
    return lines.sorted { $0.instructions > $1.instructions }
  }

  /// Counts the jumps that leave for a trap, each with the comparison before it. Returns the loops, each with its
  /// function and its lines, the shortest first.
  private func markJumps(_ sums: inout [Place?: Sum]) -> [(function: String, lines: Set<Place>)] {
    var loops: [(function: String, lines: Set<Place>)] = []
    for (address, count) in counts.own {
      guard let instruction = code.instructions[address], instruction.isJump,
        let target = instruction.target
      else { continue }
      if code.instructions[target]?.isTrap == true {
        sums[places[address]]?.checks += 2 * count
      } else if target <= address, let function = function(address) {
        // What lies between a jump and where it goes back to is a loop.
        let inside = addresses.filter { target <= $0 && $0 <= address }
        let lines = Set(inside.filter { self.function($0) == function }.compactMap { places[$0] })
        for place in lines { sums[place]?.isInLoop = true }
        loops.append((function, lines))
      }
    }
    return loops.sorted { $0.lines.count < $1.lines.count }
  }

  /// Gives each line the reasons that LLVM has for it, or for code of the kit in it, or else those that are about a loop
  /// as a whole.
  private func explain(
    _ sums: inout [Place?: Sum], _ function: String, _ remarks: [LoopRemark],
    _ loops: [Set<Place>]
  ) {
    var own: [Place: [LoopRemark.Reason]] = [:]
    var others = remarks
    for address in addresses where self.function(address) == function {
      guard let place = places[address] else { continue }
      for frame in code.frames[address]! {
        for remark in remarks where remark.isAbout(frame) {
          if let reason = remark.reason { own[place, default: []].append(reason) }
          others.removeAll { $0.line == remark.line && $0.file == remark.file }
        }
      }
    }
    for (place, reasons) in own { sums[place]?.reasons = reasons }
    let reasons = others.compactMap(\.reason)
    for loop in loops {
      let ofLoop = reasons.isEmpty ? loop.flatMap { own[$0] ?? [] } : reasons
      for place in loop where sums[place]?.reasons.isEmpty == true { sums[place]?.reasons = ofLoop }
    }
  }
}

extension LineCounter.Sum {
  fileprivate mutating func add(
    _ executed: Int, _ instruction: PluginCode.Instruction?, _ function: String?
  ) {
    count += executed
    if let function { parts[function, default: 0] += executed }
    guard let instruction else { return }
    if instruction.lanes > 0 { computed[instruction.lanes, default: 0] += executed }
    if instruction.movedLanes > 0 { moved[instruction.movedLanes, default: 0] += executed }
  }

  fileprivate mutating func addCall(_ executed: Int, _ function: String) {
    count += executed
    called += executed
    parts[function, default: 0] += executed
  }

  fileprivate func line(
    _ place: LineCounter.Place?, _ texts: [Substring]?, _ names: Demangled, calls: Double,
    whole: Int
  ) -> LineProfile.Line {
    let works = computed.isEmpty ? moved : computed
    let all = works.values.reduce(0, +)
    let packed = works.filter { $0.key > 1 }
    let share = Double(packed.values.reduce(0, +)) / Double(max(1, all))
    let width = packed.max { $0.value < $1.value }?.key ?? 1
    var text = ""
    if let place, let texts, texts.indices.contains(place.line - 1) {
      text = texts[place.line - 1].trimmingCharacters(in: .whitespaces)
    }
    var sums: [String: Int] = [:]
    for (function, count) in parts {
      if let name = names[function] { sums[name, default: 0] += count }
    }
    var line = LineProfile.Line(
      file: place?.file, line: place?.line ?? 0, text: text, instructions: Double(count) / calls,
      // Less than a hundredth of all is no help.
      parts: sums.filter { 100 * $0.value >= whole }.sorted {
        ($0.value, $1.key) > ($1.value, $0.key)
      }
      .map { .init(name: $0.key, instructions: Double($0.value) / calls) },
      lanes: all == 0 ? nil : share > 0.1 ? width : 1, isMixed: share > 0.1 && share < 0.9,
      checks: Double(checks) / calls, gain: Double(checks) / calls)
    guard place != nil, isInLoop else { return line }
    if called > 0 {
      line.reason = .call
      line.isMixed = share > 0.1
      line.gain += Double(called) / calls
    } else if line.lanes == 1 {
      line.reason = reasons.first
      if reasons.first?.isMendable == true {
        // A vector has four numbers where the processor has vectors of 32 bytes.
        line.gain += 0.75 * Double(computed[1] ?? 0) / calls
      }
    }
    return line
  }
}

/// Names of functions as people write them.
struct Demangled {
  private var names: [String: String] = [:]

  init(_ functions: Set<String>) {
    let swift = functions.filter { $0.hasPrefix("$") }.sorted()
    for function in functions where !function.hasPrefix("$") {
      names[function] = Self.cPlusPlus(function) ?? function
    }
    guard !swift.isEmpty, let demangler = programOfSwift("swift-demangle"),
      let said = try? ChildProcess.run(demangler, ["--compact", "--simplified", "--"] + swift)
    else { return }
    let lines = said.output.split(separator: "\n", omittingEmptySubsequences: false)
    for (function, line) in zip(swift, lines) { names[function] = Self.short(line) }
  }

  subscript(function: String) -> String? { names[function] }

  /// The name of a C++ function, by the system's C++ library; nil for others.
  private static func cPlusPlus(_ function: String) -> String? {
    typealias Demangler =
      @convention(c) (
        UnsafePointer<CChar>, UnsafeMutablePointer<CChar>?, UnsafeMutablePointer<Int>?,
        UnsafeMutablePointer<Int32>?
      ) -> UnsafeMutablePointer<CChar>?
    guard function.hasPrefix("_Z"), let symbol = dlsym(nil, "__cxa_demangle"),
      let name = unsafeBitCast(symbol, to: Demangler.self)(function, nil, nil, nil)
    else { return nil }
    defer { free(name) }
    return String(cString: name)
  }

  /// The type's and the function's name, as in `FunctionTable.cubic(atPhase:)`. Nil for operators and for what Swift's
  /// compiler makes.
  private static func short(_ name: Substring) -> String? {
    var name = name
    for word in ["of ", "specialized ", "static "] {
      if let place = name.firstRange(of: word) { name = name[place.upperBound...] }
    }
    guard let match = name.firstMatch(of: /^([A-Za-z_][\w.<>]*)(\([^)]*\))?/) else { return nil }
    // What reads a variable or a subscript, or writes it, goes by the name of that.
    let words = match.1.split(separator: ".").filter {
      !["getter", "setter", "modify"].contains($0)
    }
    let text = words.joined(separator: ".").replacing(".subscript", with: "[]")
    return text + (match.2 ?? "")
  }
}
