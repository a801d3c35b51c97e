import Foundation
import HarnessBase

/// The jobs that a worker can do.
public struct JobRegistry: Sendable {
  private typealias Work = @Sendable (Data, WorkerContext) throws -> Data

  private var work: [String: Work] = [:]
  private var kinds: [String: ObjectIdentifier] = [:]

  /// A job may be listed several times.
  public init(_ jobs: [any Job.Type]) {
    for job in jobs { add(job) }
  }

  private mutating func add<Kind: Job>(_ kind: Kind.Type) {
    let known = kinds.updateValue(ObjectIdentifier(kind), forKey: Kind.id)
    precondition(
      known == nil || known == ObjectIdentifier(kind), "Two jobs are called '\(Kind.id)'.")
    work[Kind.id] = { line, worker in
      let request = try JSONCoding.decode(Request<Kind>.self, from: line)
      let report: Report<Kind.Reply>
      do throws(Failure) {
        report = .done(try request.job.perform(in: worker))
      } catch {
        report = .failed(error)
      }
      return try JSONCoding.encode(report)
    }
  }

  /// Does the job that a line of JSON describes, and returns its report as JSON.
  func report(on line: Data, in worker: WorkerContext) -> Data {
    do {
      let head = try JSONCoding.decode(Head.self, from: line)
      if let report = try work[head.id]?(line, worker) { return report }
      return Self.failed("A worker was sent a job '\(head.id)', which it does not know.")
    } catch {
      return Self.failed("A worker was sent a job it does not understand: \(error).")
    }
  }

  private static func failed(_ message: String) -> Data {
    let report = Report<Never>.failed(Failure(.internalFault, message))
    // A failure consists of strings only, which can always be encoded.
    return try! JSONCoding.encode(report)
  }

  private struct Head: Decodable { var id: String }
}

/// A job in the form in which it is sent to a worker.
struct Request<Kind: Job>: Codable {
  var id = Kind.id
  var job: Kind
}

/// The JSON that the kit's programs exchange, in which infinities and NaN are allowed.
package enum JSONCoding {
  package static func encode(_ value: some Encodable) throws -> Data {
    let encoder = JSONEncoder()
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return try encoder.encode(value)
  }

  package static func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return try decoder.decode(type, from: data)
  }
}
