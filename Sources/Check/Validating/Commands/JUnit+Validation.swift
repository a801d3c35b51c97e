import CommandKit

extension JUnit.Suite {
  /// A suite for a validated overload, with a case for each check.
  init(_ subject: Validator.Subject) {
    let name = subject.title
    let cases = subject.results.map { result in
      let message = result.outcome.message
      let outcome: JUnit.Case.Outcome =
        switch result.outcome.kind {
        case .success: .success
        case .failed: .failure(message)
        case .crashed: .error(message)
        case .skipped: .skipped(message)
        case .warning: .output("warning: " + message)
        }
      return JUnit.Case(name: result.check.id, outcome: outcome)
    }
    self.init(name: name, cases: cases)
  }
}
