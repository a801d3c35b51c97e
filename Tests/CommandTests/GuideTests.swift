import DevCommands
import Foundation
import HarnessBase
import Testing

extension OutsidePackageTests {
  @Test("The guide, followed to the letter: files compile, commands work, sounds are heard")
  func guide() throws {
    let package = try Self.empty()
    #expect(try package.follow(Page.firstOpcode) == 2)
  }

  @Test("Every kind of argument, as its article has it")
  func arguments() throws {
    #expect(try Self.empty().follow(Page.arguments) == 1)
  }

  @Test("What else an opcode can do, as its page has it")
  func more() throws {
    let package = try Self.empty()
    #expect(try package.follow(Page.named("WhatAnOpcodeCanDo")) == 2)
    // Two notes of HARMTAB have tables of different numbers, so not every check is about it.
    for words in [["NORMIN"], ["HARMTAB", "--checks", "life-leak-notes,arguments-i-extremes"]] {
      try package.command(["validate", "--only-failed"] + words).good()
    }
  }

  @Test(
    "Opcodes moved from CPOF and from Faust sound as they did there, as the pages have them",
    arguments: ["FromCPOF"] + (installedProgram("faust") == nil ? [] : ["FromFaust"]))
  func moved(page: String) throws {
    #expect(try Self.empty().follow(Page.named(page)) == 0)
  }

  @Test("Opcodes of the toolbox's parts, as its page has them")
  func toolbox() throws {
    let package = try Self.empty()
    // A pass may call each of them; RefusalTests asks the other kind of build.
    try package.write(everyPart, to: "Sources/Echoes/Every.swift")
    #expect(try package.follow(Page.named("Toolbox")) == 1)
  }

  @Test("An opcode whose samples are computed in C, as its article has it")
  func callingC() throws {
    let package = try Self.empty()
    try package.addTargetInC("CShape")
    #expect(try package.follow(Page.named("CallingC")) == 1)
  }

  @Test("README's opcode is a whole library")
  func readme() throws {
    let package = try Self.empty()
    let block = try #require(Page.readme.blocks.first { $0.language == "swift" })
    try package.write(block.text, to: #require(block.file))
    try package.build(standalone: true).good()
    try package.write(Page.firstOpcode.file("gain.csd"), to: "gain.csd")
    try run(
      "/usr/bin/csound",
      ["--opcode-lib=\(package.plugin(standalone: true))", "gain.csd", "-o", "gain.wav"],
      directory: package.directory
    ).good()
    try package.hear("gain.wav")
  }
}

@Suite("When the compiler refuses")
struct RefusalTests {
  private func compile(_ sources: [String: String]) throws -> String {
    try compilerErrors(of: sources, "-O", "-wmo", "-emit-sil", "-o", "/dev/null")
  }

  /// The article's struct with another name and one line replaced.
  private func refused(_ number: Int, _ old: String, _ new: String) -> String {
    Page.refusals.file("Sources/Echoes/Refused.swift")
      .replacingOccurrences(of: old, with: new)
      .replacingOccurrences(of: "Refused", with: "Refused\(number)")
  }

  private func code(_ cell: String) -> String { String(cell.dropFirst().dropLast()) }

  @Test("Each line of the table in a performance pass has the message beside it")
  func performance() throws {
    let rows = Page.refusals.rows(below: "In a performance pass")
    #expect(rows.count > 5)
    var sources = ["every.swift": everyPart]
    for name in ["Shapes", "Refused"] {
      sources["\(name.lowercased()).swift"] = Page.refusals.file("Sources/Echoes/\(name).swift")
    }
    for (number, row) in rows.enumerated() {
      sources["row\(number).swift"] = refused(number, "// here", code(row[0]))
    }
    let errors = try compile(sources)
    // The article's own file is refused by nothing, nor one that calls the toolbox.
    #expect(
      !errors.contains(/(^|\n)((refused|every)\.swift|.*Sources\/Kit\/.*):\d+:\d+: error:/),
      "\(errors)")
    for (number, row) in rows.enumerated() {
      // Errors in code outside the struct are reported in that code's file.
      let isElsewhere = row[0].contains(/curve|gamma/)
      let place = isElsewhere ? "shapes.swift:" : "row\(number).swift:"
      #expect(
        errors.split(separator: "\n").contains { $0.hasPrefix(place) && $0.contains(row[1]) },
        "\(row[0])\n\(errors)")
    }
  }

  @Test("Each line of the table in the struct has the message beside it")
  func state() throws {
    let rows = Page.refusals.rows(below: "In the struct")
    #expect(!rows.isEmpty)
    var sources = ["shapes.swift": Page.refusals.file("Sources/Echoes/Shapes.swift")]
    for (number, row) in rows.enumerated() {
      sources["row\(number).swift"] = refused(
        number, "  init(", "  \(code(row[0]))\n\n  init(")
    }
    let errors = try compile(sources)
    for (number, row) in rows.enumerated() {
      let message = row[1].replacingOccurrences(of: "'Refused'", with: "'Refused\(number)'")
      #expect(errors.contains(message), "\(row[0])\n\(errors)")
    }
  }
}

/// An opcode that is not registered, whose pass calls the toolbox's parts.
private let everyPart = """
  import OpcodeKit

  @Opcode("EVERY", "Calls each part")
  struct Every: AudioOpcode {
    struct Arguments: BitwiseCopyable {
      let output: AudioOutput
      let input: AudioInput
      let table: InitInput
    }
    static var bufferCount: Int { 6 }
    private var real: RealTransform
    private var complex: ComplexTransform
    private var blep: MinBLEP
    private var line: DelayLine
    private var noise = Noise(seed: 1.0)
    private var pink = PinkNoise(seed: 1.0)
    private var phase = CyclePhase(cycles: 0)
    private var one = OnePoleFilter()
    private var allpass = AllpassFilter()
    private var svf = StateVariableFilter()
    private var biquad = Biquad()
    private var blocker = DCBlocker(pole: 0.99)
    private var tap = AllpassTap()
    private var smoother: Smoother
    private var minimum = Oversampler(times: 2)
    private var linear: LinearPhaseOversampler

    init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
      let (block, other) = (RealTransform.memoryLength(size: 64), ComplexTransform.memoryLength(size: 64))
      real = RealTransform(size: 64, memory: try context.buffer(0, of: Pair.self, count: block))
      complex = ComplexTransform(size: 64, memory: try context.buffer(1, of: Pair.self, count: other))
      blep = try MinBLEP(context, buffer: 2)
      line = try DelayLine(longest: 100, context, buffer: 4)
      linear = try LinearPhaseOversampler(times: 2, context, buffer: 5)
      smoother = Smoother(0, seconds: 0.1, rate: context.sampleRate)
    }

    mutating func perform(_ arguments: Arguments, _ context: Context) {
      guard let table = context.table(arguments.table.value) else { return }
      var sum = table.linear(atPhase: 0.5) + table.cubic(atPhase: 0.5)
      table.wrapGuardPoint()
      let (a, b) = Fade.linear(0.5)
      let (c, d) = Fade.equalPower(0.5)
      sum += a + b + c + d + Fade.smooth(0.4)
      sum += noise.next() + noise.nextUnit() + noise.nextNormal() + pink.next()
      blep.jump(by: 1, before: 0.5)
      blep.corner(by: 1, before: 0.5)
      sum += blep.next()
      blep.clear()
      real.forward()
      _ = real.backward(level: 1)
      complex.forward()
      complex.backward()
      one.tune(0.1)
      sum += one.next(sum)
      one.settle()
      one.process(arguments.input, to: arguments.output, in: context.frames)
      allpass.tune(0.1)
      sum += allpass.next(sum)
      allpass.settle()
      svf.tune(0.1, q: 2)
      sum += svf.next(sum).low
      svf.settle()
      biquad.tune(.lowpass, 0.1, q: 1)
      sum += biquad.next(sum)
      biquad.settle()
      sum += blocker.next(sum)
      blocker.settle()
      smoother.setTime(seconds: 0.2, rate: context.sampleRate)
      sum += smoother.next(1)
      line.push(sum)
      line.clear()
      sum += tap.next(line, at: 10.5) + line.cubic(at: 3.5) + line.linear(at: 3.5) + line.smooth(at: 4.5) + line[4]
      sum += minimum.next(sum) { $0.tanh }
      sum += linear.next(sum) { $0.tanh }
      phase.advance(CyclePhase.step(cycles: 0.1))
      sum += Double(phase.index(in: 10)) + phase.onePlusRest(in: 10)
      sum += Double(Math.whole(sum, in: 0...10)) + Math.nearestWhole(sum) + Math.fraction(sum)
      sum += Math.tan(sum) + Math.log(abs(sum)) + Math.log10(1) + Math.atan2(1, 2)
      sum += Math.cbrt(2) + Math.erf(1) + Math.tgamma(2)
      sum += Math.fmod(sum, 2) + Math.hypot(1, 2) + Math.remainder(sum, 2) + Math.round(sum)
      arguments.output[0] = sum
    }
  }
  """
