import Foundation

/// Whether every test runs at its full size, as in `./opcodekit test --all`. Without it each suite runs at its
/// cheapest useful size, and tests that take long for what they add are left out.
public let runsAllTests = ProcessInfo.processInfo.environment["OPCODEKIT_TESTS"] == "all"

/// Why a test is left out without it.
public let onlyWithAll = "runs in ./opcodekit test --all only"
