import CommandKit
import HarnessBase

extension ProfileSession {
  /// Fails if options are given that exclude one another.
  static func checkTogether(_ arguments: Arguments) throws(Failure) {
    let files: [any CommandOption] = [folded, speedscope, html]
    let others: [any CommandOption] = [counts, perf, everyCall, removal, against] + files
    // An option, those that it does not go with, and why.
    let rules: [(any CommandOption, [any CommandOption], String)] = [
      (
        counts, [everyCall, renders, removal, budget],
        ", which counts every call in one render and measures no time"
      ),
      (against, [removal], ""),
      (calibrate, [voices, machine, budget, threads, renders, .json] + others, ""),
      (voices, [threads, renders] + others, ""),
      (threads, [budget] + others, ""),
      (
        perf, [against, budget, counts, everyCall, removal, renders] + files,
        ", which knows functions only"
      ),
    ]
    for (one, others, reason) in rules where arguments.has(one) {
      if let option = others.first(where: arguments.has) {
        throw .usage(
          "--\(option.name) does not go with --\(one.name)\(reason); leave one of them out.")
      }
    }
    // One less than `most_variants` in variants.c, as one leaves out all of them.
    if arguments[removal], let top = arguments[top], top > 61 {
      throw .usage("--removal leaves out at most 61 lines; --top is \(top).")
    }
    if arguments.has(machine), !arguments.has(voices) {
      throw .usage("--machine needs --voices.")
    }
    if arguments.has(calibrate), let piece = arguments.operands.first {
      throw .usage("--calibrate takes no piece; leave '\(piece)' out.")
    }
    if arguments.operands.count > 1,
      let option = arguments.given(against, budget, threads, voices, folded, speedscope, html).first
    {
      throw .usage("--\(option.name) is for one piece; leave it or the other pieces out.")
    }
  }
}
