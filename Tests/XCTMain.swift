import Foundation
import Testing
import XCTest

/// Where the tests begin. With a file of this name Swift's package manager does not look for tests of XCTest, of which
/// there are none, in the compiler's index, which takes a fifth of a build.
@main
struct Beginning {
  static func main() async {
    if CommandLine.arguments.contains("swift-testing") {
      await Testing.__swiftPMEntryPoint() as Never
    }
    if CommandLine.arguments.contains("--dump-tests-json") { XCTMain([]) }
    FileHandle.standardError.write(
      Data(
        "These are tests of Swift Testing; run them with 'swift test --enable-swift-testing'.\n"
          .utf8))
    exit(64)
  }
}
