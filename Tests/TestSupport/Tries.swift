/// For what other work on the machine can only spoil: tries it up to ten times, and one that holds is enough.
/// What was found ten times; nothing where one held.
package func tenTries(_ holds: () throws -> (isTrue: Bool, found: String)) rethrows -> [String] {
  var found: [String] = []
  for _ in 0..<10 {
    let result = try holds()
    if result.isTrue { return [] }
    found.append(result.found)
  }
  return found
}
