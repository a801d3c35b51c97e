import Foundation

/// Whether every test runs at its full size, as in `./opcodekit test --all`. Otherwise each suite runs at its smallest
/// useful size, and tests that take long for what they add are left out.
public let runsAllTests = ProcessInfo.processInfo.environment["OPCODEKIT_TESTS"] == "all"

/// The reason for leaving out a test unless `runsAllTests`.
public let onlyWithAll = "runs in ./opcodekit test --all only"
