import CommandKit
import HarnessBase

extension Command {
  private static let seed = Option(
    name: "seed", value: "N", takes: ValueReader.wholeNumber(0...Int.max).map { UInt64($0) },
    standard: 1, help: "Seed of the random order and of the intervals; default 1.")

  private static let instances = Option(
    name: "instances", value: "LIST", takes: .wholeNumbers(1...1000),
    help: "Numbers of simultaneous notes of the opcode, such as 1,10,1000; default 1.")

  private static let calls = Option(
    name: "calls", value: "N", takes: .wholeNumber(0...64),
    help: """
      Calls in a note that are timed beside a first one, at a ksmps of 64 and less; 0: the only call; \
      default what the pair says.
      """)

  private static let selfCheck = Option(
    name: "self-check", value: "N", takes: .wholeNumber(1...10_000),
    help: """
      Instead, judge the benchmark on one row of each opcode: N runs against its rival, N against \
      itself, 5 against itself slowed down by 5 %. Without NAME, of MOOGLADDER and ONEPOLE, briefly; \
      exit code 1 when under 95 % of the estimates lie within the intervals of other runs, when runs \
      contradict each other, when the slowdown is missed, or when fewer of the N intervals hold 1 \
      than would with a probability of 1 % (96 of 100).
      """)

  private static let wholeGrid = Option(
    name: "all",
    help: "Time the whole grid: every pair at all of its rates and ksmps.")

  /// Accepted only so that the message can say why bench refuses it, as many commands have this
  /// option.
  private static let shard = Option(
    name: "shard", value: "I/N",
    takes: ValueReader<String> { _, _ throws(Failure) in
      throw .usage(
        "bench cannot be shared among machines: ratios from different processors and loads do not fit"
          + " into one table. Give it fewer NAMEs, or share compare with --shard.")
    },
    help: "Not for bench: its rows are of one machine at one time.")

  static func bench(building build: ProductBuild?, code: @escaping CodeSource) -> Command {
    Command(
      name: "bench", operands: "[NAME …]",
      summary:
        "Compare and benchmark opcodes: all pairs briefly, or the whole grid of those named.",
      options: [
        wholeGrid, .ksmps, .rates, .sampleRate, instances, calls, seed, selfCheck, .plugin,
        .toolCsound,
        .timeLimit, .json, shard,
      ] + SpeedTask.options + LineSession.options
    ) { arguments throws(Failure) in
      var selection = Selection(arguments)
      selection.instances = arguments[instances]
      selection.calls = arguments[calls]
      if arguments[LineSession.lines] {
        return try LineSession(
          arguments, selection,
          without: [wholeGrid, instances, calls, seed, selfCheck] + SpeedTask.options,
          building: build, code: code
        ).run()
      }
      if arguments[calls] != nil,
        let other = arguments.given(SpeedTask.save, SpeedTask.against).first
      {
        throw .usage(
          "--calls does not go with --\(other.name): ratios with different numbers of calls are not of one kind."
        )
      }
      if arguments[LineSession.removal] { throw .usage("--removal needs --lines.") }
      let order = BenchSession.Order(
        selection: selection, seed: arguments[seed], selfCheckRuns: arguments[selfCheck],
        hasKit: arguments[wholeGrid],
        isNarrowed: !arguments.given(wholeGrid, .ksmps, .rates, .sampleRate, instances, calls)
          .isEmpty)
      return try BenchSession(arguments, order, selfCheck: selfCheck, building: build).run()
    }
  }
}
