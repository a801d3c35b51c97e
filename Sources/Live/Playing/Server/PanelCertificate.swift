import Foundation
import HarnessBase

/// This computer's self-signed certificate and its key, in two files. They are kept, so that a phone that trusts the
/// certificate can continue to.
package struct PanelCertificate: Sendable {
  package let certificatePath: String
  package let keyPath: String

  /// Days for which a certificate is valid, within the limit of browsers, and its age in days at which a new one is
  /// made.
  private static let (validity, renewal) = (365, 300)

  /// The kept certificate, if it is for these names and not too old; otherwise a new one.
  package static func forNames(
    _ names: [String], in directory: String = standardDirectory
  ) throws(Failure) -> PanelCertificate {
    let certificate = PanelCertificate(
      certificatePath: directory + "/panel-certificate.pem", keyPath: directory + "/panel-key.pem")
    let list = directory + "/panel-names.txt"
    let wanted = names.sorted().joined(separator: "\n")
    if (try? String(contentsOfFile: list, encoding: .utf8)) == wanted, certificate.isFresh {
      return certificate
    }
    try writing(directory) {
      try FileManager.default.createDirectory(
        atPath: directory, withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
      try? FileManager.default.removeItem(atPath: list)
      try certificate.make(names)
      try wanted.write(toFile: list, atomically: true, encoding: .utf8)
    }
    return certificate
  }

  package static var standardDirectory: String {
    let environment = ProcessInfo.processInfo.environment
    let data = environment["XDG_DATA_HOME"] ?? (environment["HOME"] ?? "/tmp") + "/.local/share"
    return data + "/opcodekit"
  }

  private var isFresh: Bool {
    guard access(keyPath, R_OK) == 0,
      let date = try? FileManager.default.attributesOfItem(atPath: certificatePath)[
        .modificationDate] as? Date
    else { return false }
    return Date().timeIntervalSince(date) < Double(Self.renewal) * 86400
  }

  private func make(_ names: [String]) throws(Failure) {
    guard let openssl = installedProgram("openssl") else {
      throw .unavailable(
        "--lan needs the program openssl for its certificate; install it: apt-get install openssl.")
    }
    let places = names.map { name in
      (name.allSatisfy { $0.isNumber || $0 == "." } ? "IP:" : "DNS:") + name
    }
    // Only this user may read the key, from the moment the file exists.
    let old = umask(0o077)
    defer { umask(old) }
    let finished = try ChildProcess.run(
      openssl,
      [
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
        "-days", "\(Self.validity)", "-subj", "/CN=OpcodeKit panel", "-addext",
        "subjectAltName=\(places.joined(separator: ","))", "-addext",
        "extendedKeyUsage=serverAuth", "-keyout", keyPath, "-out", certificatePath,
      ])
    guard finished.isGood else {
      let reason = finished.errors.split(separator: "\n").last.map(String.init) ?? "no reason"
      throw .unavailable("openssl made no certificate: \(reason).")
    }
  }
}
