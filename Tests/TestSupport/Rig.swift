import Foundation
import HarnessBase

/// The sound device of Tests/SoundRig, compiled once.
package enum Rig {
  /// A directory that is removed when the tests end.
  package static let directory = try! temporaryDirectory()

  /// The path of an ALSA configuration in which the rig is the only device. This process and the programs that it
  /// starts use it from now on.
  package static let configuration: String = {
    let library = directory + "/libsoundrig.so"
    let compiled = try! ChildProcess.run(
      Clang.path!,
      [
        "-O2", "-shared", "-fPIC", "-DPIC", "-o", library, root + "/Tests/SoundRig/soundrig.c",
        "-lasound",
      ])
    precondition(compiled.isGood, "the sound rig does not compile: \(compiled.errors)")
    let text = try! String(file: root + "/Tests/SoundRig/asound.conf")
    let path = directory + "/asound.conf"
    try! text.replacingOccurrences(of: "@LIBRARY@", with: library).save(to: path)
    setenv("ALSA_CONFIG_PATH", path, 1)
    return path
  }()

  /// The ALSA name of a rig with these settings of asound.conf, such as `SPEED=4`.
  package static func name(_ settings: [String] = []) -> String {
    _ = configuration
    return settings.isEmpty ? "rig" : "rig:" + settings.joined(separator: ",")
  }

  /// The samples of a raw file as a rig has written it.
  package static func samples(of file: String) throws -> [Float] {
    try Data(file: file).withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
  }

  package static func file() -> String { directory + "/\(UUID().uuidString)" }

  /// The path of a new FIFO.
  package static func fifo() -> String {
    let path = file()
    precondition(mkfifo(path, 0o600) == 0)
    return path
  }
}

/// The first lines of an orchestra: 48000 Hz, full scale at 1.
package func header(ksmps: Int = 64, channels: Int = 1) -> String {
  "sr = 48000\nksmps = \(ksmps)\nnchnls = \(channels)\n0dbfs = 1"
}
