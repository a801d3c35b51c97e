import Foundation
import HarnessBase

extension Report {
  /// A report that is no result, as a failure.
  public func failure(of work: String) -> Failure {
    switch self {
    case .failed(let failure): failure
    case .crashed(let signal, let lastWords): Self.crash(work, signal, lastWords)
    case .timedOut(let seconds):
      Failure(
        .crashed,
        "\(work) was stopped: nothing happened for \(String(format: "%g", seconds)) s;"
          + " --time-limit sets another limit.")
    case .exited(let code):
      Failure(.crashed, "\(work) ended its process with exit code \(code), and Csound with it.")
    case .notRun:
      Failure(.crashed, "\(work) was not run, because too much before it had to be stopped.")
    default: Failure(.internalFault, "\(work) brought a report of another kind.")
    }
  }

  private static func crash(_ work: String, _ signal: Int32, _ lastWords: LastWords?) -> Failure {
    let how = String(cString: strsignal(signal))
    if let lastWords, lastWords.work == nil {
      return Failure(.internalFault, "\(work) crashed outside Csound: \(how).")
    }
    // Only the system kills so, and hardly for anything else.
    let cause = signal == SIGKILL ? ", as the system does when memory runs out" : ""
    let place = lastWords?.library.map { " in \($0)" } ?? ""
    let when = lastWords?.work.map { " while \($0)" } ?? ""
    return Failure(.crashed, "\(work) crashed Csound\(when)\(place): \(how)\(cause).")
  }
}
