import Foundation
import HarnessBase
import TestSupport

/// What hostile pieces reach for: files, a server, a program, all of the test's own.
final class Victim {
  let directory: String
  /// The folder of the pieces; `own.txt` lies in it, and `link.txt`, which names the secret.
  let pieces: String
  /// A file and a sound outside that folder, and a file that is not there.
  let secret: String
  let sound: String
  let unwritten: String
  let tcpPort: Int
  let udpPort: Int
  let socketPath: String
  private let sockets: [Int32]
  let program: ChildProcess

  /// What the secret holds.
  static let number = "0.5"

  init(in directory: String) throws {
    self.directory = directory
    pieces = directory + "/pieces"
    secret = directory + "/secret.txt"
    sound = directory + "/sound.wav"
    unwritten = directory + "/unwritten"
    socketPath = directory + "/socket"
    try FileManager.default.createDirectories(pieces)
    for path in [secret, pieces + "/own.txt"] {
      try Self.number.save(to: path)
    }
    try FileManager.default.createSymbolicLink(
      atPath: pieces + "/link.txt", withDestinationPath: secret)
    try Sound(sampleRate: 44_100, channelCount: 1, samples: Array(repeating: 0.5, count: 992))
      .write(to: sound)
    let kinds = [Int32(SOCK_STREAM.rawValue), Int32(SOCK_DGRAM.rawValue)]
    let inet = kinds.map { socket(AF_INET, $0, 0) }
    let local = socket(AF_UNIX, kinds[0], 0)
    sockets = inet + [local]
    let ports = inet.map(Self.bindToPort)
    (tcpPort, udpPort) = (ports[0], ports[1])
    Self.bind(local, to: socketPath)
    listen(inet[0], 64)
    listen(local, 64)
    program = try ChildProcess("/bin/sleep", ["600"])
  }

  deinit {
    for socket in sockets { close(socket) }
    try? FileManager.default.removeItem(atPath: directory)
  }

  private static func bindToPort(_ socket: Int32) -> Int {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutableBytes(of: &address) { bytes in
      let name = bytes.assumingMemoryBound(to: sockaddr.self).baseAddress!
      _ = Glibc.bind(socket, name, length)
      getsockname(socket, name, &length)
    }
    return Int(in_port_t(bigEndian: address.sin_port))
  }

  private static func bind(_ socket: Int32, to path: String) {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    withUnsafeMutableBytes(of: &address) { bytes in
      let name = bytes.assumingMemoryBound(to: sockaddr.self).baseAddress!
      _ = Glibc.bind(socket, name, socklen_t(MemoryLayout<sockaddr_un>.size))
    }
  }

  /// How many datagrams have come.
  func datagrams() -> Int {
    var count = 0
    var byte: UInt8 = 0
    while recv(sockets[1], &byte, 1, Int32(MSG_DONTWAIT)) >= 0 { count += 1 }
    return count
  }
}

/// A piece that does harm, and is heard only where it could.
struct HostilePiece {
  var name: String
  var orchestra: String

  /// - Parameters:
  ///   - orchestra: sets `idone` or `kdone` to something other than 0 where the harm is done.
  ///   - plugin: what the piece's options have Csound load.
  func csd(plugin: String? = nil) -> String {
    """
    0dbfs = 1
    nchnls = 1
    instr 1
    \(orchestra)
      a1 oscili kdone, 440
      out a1
      printf "HARM %d\\n", kdone, 1
    endin
    """.csd(score: "i1 0 0.3", options: "-n \(plugin.map { "--opcode-lib=\($0)" } ?? "")")
  }
}

/// What Csound prints that plays a piece without any confinement.
func playUnconfined(_ csd: String) throws -> String {
  let csound = Process()
  let output = Pipe()
  csound.executableURL = URL(fileURLWithPath: "/usr/bin/csound")
  csound.arguments = [csd]
  csound.currentDirectoryURL = URL(fileURLWithPath: csd).deletingLastPathComponent()
  (csound.standardOutput, csound.standardError) = (output, output)
  try csound.run()
  let printed = String(
    decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
  csound.waitUntilExit()
  return printed
}
