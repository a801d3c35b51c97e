import Foundation
import HarnessBase

/// What LLVM says about one of its loops: why that does not run in vectors.
package struct LoopRemark {
  /// LLVM's own name for it, and its sentence.
  var name, message: String
  /// The function in the object file.
  var function: String
  /// Empty and 0 where it is about the whole loop. The path can be relative to where the compiler ran.
  var file = ""
  var line = 0

  /// Reads a record of LLVM's in YAML. What says no reason is left out.
  static func all(in record: String) -> [LoopRemark] {
    record.split(separator: "--- !").compactMap { entry in
      guard entry.hasPrefix("Analysis") else { return nil }
      func value(_ key: String) -> String? {
        guard let place = entry.firstRange(of: "\n\(key):") else { return nil }
        return plain(entry[place.upperBound...].prefix { $0 != "\n" })
      }
      guard let name = value("Name"), let function = value("Function") else { return nil }
      let arguments = entry.firstRange(of: "\nArgs:").map { entry[$0.upperBound...] } ?? ""
      let words = arguments.split(separator: "\n").compactMap { line in
        line.firstMatch(of: /^ +- \w+: +(.*)$/).map { plain($0.1) }
      }
      var remark = LoopRemark(name: name, message: words.joined(), function: function)
      // LLVM breaks the line in this.
      if let place = entry.firstMatch(
        of: /DebugLoc:\s+\{\s*File:\s*('[^']*'|[^,]+),\s*Line:\s*(\d+)/),
        let line = Int(place.2), line > 0
      {
        (remark.file, remark.line) = ((plain(place.1) as NSString).standardizingPath, line)
      }
      return remark.reason == nil ? nil : remark
    }
  }

  func isAbout(_ frame: PluginCode.Frame) -> Bool {
    line > 0 && line == frame.line && (file == frame.file || frame.file.hasSuffix("/" + file))
  }

  private static func plain(_ text: Substring) -> String {
    text.trimmingCharacters(in: .whitespaces).replacing("'", with: "")
  }

  /// Why a line does not run in vectors.
  package struct Reason: Codable, Hashable {
    /// One or two words for a table.
    package var word: String
    /// A sentence that says what an author can do.
    var sentence: String
    /// Whether another form of the line would run in vectors.
    var isMendable = true
  }

  /// Nil where the remark is about something else, such as how often a loop is repeated in the code.
  var reason: Reason? {
    switch name {
    case "CantVectorizeLibcall", "CantVectorizeIntrinsic", "CantVectorizeCall": .call
    case "NonReductionValueUsedOutsideLoop", "UnsupportedPhi", "CFGNotUnderstood": .recurrence
    case "CantReorderFPOps":
      Reason(
        word: "sum in order",
        sentence:
          "a sum is rounded in the order that the loop says, so it cannot run in vectors; sum into a Vector and add up"
          + " its lanes at the end.")
    case "UnsafeDep", "UnsafeMemDep", "CantCheckMemDepsAtRunTime":
      Reason(
        word: "may overlap",
        sentence:
          "what one turn of the loop writes may be what the next one reads; read into a local variable before the loop"
          + " what it does not change.")
    case "CantIdentifyArrayBounds":
      Reason(
        word: "any address",
        sentence:
          "where it reads depends on data, so the compiler cannot see that no output is written there; compute the"
          + " positions in one loop, and read in a second one.")
    case "NoCFGForSelect", "CantVectorizeCFG", "LoopContainsUnsupportedSwitch",
      "LoopContainsSwitch":
      Reason(
        word: "branch",
        sentence:
          "a branch decides what runs; write both values and choose one with ?:, or take the branch out of the loop."
      )
    case "EarlyExitNotLatchPredecessor", "TooManyUncountableEarlyExits",
      "UnsupportedUncountableLoop",
      "PotentiallyFaultingEarlyExitLoop", "CantComputeNumberOfIterations", "NoInductionVariable":
      Reason(
        word: "may end early",
        sentence:
          "the loop can end at any turn, at a check of an index or at a condition; loop over context.frames or a range"
          + " that is known before it.")
    case "VectorizationNotBeneficial":
      Reason(
        word: "not worth it",
        sentence: "the compiler counts more instructions with vectors than without.",
        isMendable: false)
    case "CantVectorizeInstruction", "InterleavingNotBeneficial",
      "InterleavingNotBeneficialAndDisabled", "InterleavingAvoided",
      "InterleavingBeneficialButDisabled":
      nil
    default: Reason(word: "see below", sentence: "LLVM: '\(message)'.", isMendable: false)
    }
  }
}

extension LoopRemark.Reason {
  static let call = Self(
    word: "calls",
    sentence:
      "a function is called in each turn of the loop; Vector, Lanes and Fraction have the usual functions without a"
      + " call, or compute it where its argument changes.")
  static let recurrence = Self(
    word: "recurrence",
    sentence:
      "a frame needs a value of the frame before; a shorter chain from one to the next is faster.",
    isMendable: false)
}
