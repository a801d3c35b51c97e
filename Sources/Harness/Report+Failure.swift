import Foundation
import HarnessBase

extension Report {
  /// A report that is no result, as a failure.
  public func failure(of work: String) -> Failure {
    switch self {
    case .failed(let failure): failure
    case .crashed(let signal):
      Failure(
        .internalFault, "\(work) crashed: \(String(cString: strsignal(signal))).")
    case .timedOut(let seconds):
      Failure(.internalFault, "\(work) was stopped: nothing happened for \(Int(seconds)) s.")
    case .exited(let code):
      Failure(.internalFault, "\(work) ended its process with exit code \(code).")
    case .notRun:
      Failure(.internalFault, "\(work) was not run, because too much before it had to be stopped.")
    default: Failure(.internalFault, "\(work) brought a report of another kind.")
    }
  }
}
