import Foundation
public import HarnessBase

/// For a condition that other work on the machine can spoil: tries it up to ten times, until it holds once. Returns
/// what was found in ten tries, or nothing if it held.
package func tenTries(_ holds: () throws -> (isTrue: Bool, found: String)) rethrows -> [String] {
  var found: [String] = []
  for _ in 0..<10 {
    let result = try holds()
    if result.isTrue { return [] }
    found.append(result.found)
  }
  return found
}

/// Waits until a condition holds, at most the thirty seconds that a busy machine may need; whether it holds.
@discardableResult
package func waits(until holds: () throws -> Bool) rethrows -> Bool {
  let end = ContinuousClock.now + .seconds(30)
  while try !holds() {
    if ContinuousClock.now > end { return false }
    usleep(2000)
  }
  return true
}

/// The failure that something ends with; nil if it ends well, or with another error.
public func failure(_ work: () throws -> Void) -> Failure? {
  do {
    try work()
    return nil
  } catch {
    return error as? Failure
  }
}
