import CommandKit
import Foundation
import HarnessBase

/// The license of a new package.
package struct NewLicense {
  enum Kind: String, CaseIterable {
    case mit = "MIT"
    case bsd2 = "BSD-2-Clause"
    case apache2 = "Apache-2.0"
    case none

    static func names(_ separator: String) -> String {
      allCases.map(\.rawValue).joined(separator: separator)
    }
  }

  /// Its first line names the license.
  let text: String

  /// Nil if there is to be no license. The author is git's `user.name` unless given.
  init?(_ name: String?, author: String?) throws(Failure) {
    guard let name else {
      if author != nil {
        throw .usage("--author names who owns the license's copyright; give --license, too.")
      }
      return nil
    }
    guard let kind = Kind.allCases.first(where: { $0.rawValue.lowercased() == name.lowercased() })
    else { throw .usage("--license is '\(name)'; it takes \(Kind.names(", ")).") }
    guard kind != .none else { return nil }
    let asked = try? ChildProcess.run("/usr/bin/env", ["git", "config", "user.name"])
    let known = asked.flatMap { $0.isGood ? $0.output : nil } ?? ""
    let owner = (author ?? known).trimmingCharacters(in: .whitespacesAndNewlines)
    guard !owner.isEmpty else {
      throw .usage(
        "--license \(kind.rawValue) needs the owner of the copyright; give --author NAME.")
    }
    let path = "\(Project.kit)/Sources/Tool/Licenses/\(kind.rawValue).txt"
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
      throw .missingInput(
        "The license's text '\(path)' is missing; get the kit anew, or write LICENSE.")
    }
    let year = Calendar(identifier: .gregorian).component(.year, from: Date())
    self.text = text.replacing("{year}", with: "\(year)").replacing("{author}", with: owner)
  }
}
