import Foundation
import HarnessBase

extension Pairing {
  /// Reads all pairings in a directory, in alphabetical order; `broken` has the names of those that
  /// cannot be read, and why. Pairings without a rival are included only if `withoutRivals` is true.
  public static func all(
    in directory: String, withoutRivals: Bool = false
  ) throws(Failure) -> (pairings: [Pairing], broken: [(name: String, failure: Failure)]) {
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: directory)
    } catch {
      throw .missingInput("The directory '\(directory)' with the pairings is missing.")
    }
    var pairings: [Pairing] = []
    var broken: [(name: String, failure: Failure)] = []
    for name in names.sorted() where name.hasSuffix(".json") {
      do throws(Failure) {
        let pairing = try Pairing(readingFrom: directory + "/" + name)
        if withoutRivals || !pairing.rival.isEmpty { pairings.append(pairing) }
      } catch {
        broken.append((String(name.dropLast(".json".count)), error))
      }
    }
    return (pairings, broken)
  }

  /// Reads one pairing.
  public init(readingFrom path: String) throws(Failure) {
    let file = try DataFile.read(
      PairingFile.self, from: path, as: "a pairing", keys: PairingFile.keys)
    do throws(PairingProblem) {
      self = try Pairing(
        file, name: ((path as NSString).lastPathComponent as NSString).deletingPathExtension)
    } catch {
      throw .badInput("'\(path)' is not a pairing: \(error.sentence)")
    }
    if let problem { throw .badInput("'\(path)' is not a pairing: \(problem)") }
  }

  private init(_ file: PairingFile, name: String) throws(PairingProblem) {
    self.name = name
    group = file.group
    subject = file.subject
    subjectProduct = file.subjectProduct
    guard file.rival != "", file.rival != nil || file.rivalSource == nil && file.rivalCall == nil
    else { throw PairingProblem("'rival' is missing.") }
    rival = file.rival ?? ""
    rivalSource = file.rivalSource
    rivalLibraries = file.rivalLibraries ?? [:]
    rivalOpens = file.rivalOpens ?? [:]
    accuracy = file.accuracy
    usesInstalledPlugins = file.usesInstalledPlugins
    tolerance = file.tolerance ?? -100
    sampleRates = file.sampleRates ?? [44_100, 48_000, 96_000]
    ksmps = file.ksmps ?? [1, 16, 37, 64, 1024]
    pattern = try file.pattern
    orchestra = file.orchestra ?? "build/orchestras/\(name).csd"
    rates = try file.rates(pattern)
    cases = try file.cases(pattern)
    benchmark = try file.benchmark(pattern)
    input = file.input ?? pattern?.input
  }
}
