import Foundation
import HarnessBase
import TestSupport
import Testing

@Suite("play", .serialized)
struct PlayTests {
  let csd = root + "/csd/MOOGLADDER.csd"

  /// A run of `play` that continues while the test acts.
  final class Run {
    let process = Process()
    let input = Pipe()
    private let output = Rig.file()
    private let errors = Rig.file()

    /// `fileLimit` is the greatest size of a file that it can write, in blocks of 512 bytes.
    init(_ words: String..., fileLimit: Int? = nil) throws {
      _ = Rig.configuration
      process.executableURL = URL(fileURLWithPath: fileLimit == nil ? tool : "/bin/sh")
      let limits = fileLimit.map {
        ["-c", #"ulimit -f \#($0); trap "" XFSZ; exec "$0" "$@""#, tool]
      }
      process.arguments = (limits ?? []) + ["play"] + words
      process.environment = ProcessInfo.processInfo.environment
        .merging(["OPCODEKIT_ROOT": root]) { $1 }
      for file in [output, errors] {
        _ = FileManager.default.createFile(atPath: file, contents: nil)
      }
      process.standardInput = input
      process.standardOutput = FileHandle(forWritingAtPath: output)
      process.standardError = FileHandle(forWritingAtPath: errors)
      try process.run()
    }

    func say(_ line: String) { input.fileHandleForWriting.write(Data((line + "\n").utf8)) }

    /// Waits until the run has printed the text, at most so many seconds.
    func hears(_ text: String, atMost seconds: Double = 30) -> Bool {
      for _ in 0..<Int(100 * seconds) {
        if ending.errors.contains(text) { return true }
        usleep(10_000)
      }
      return false
    }

    func end() -> Ending {
      process.waitUntilExit()
      return ending
    }

    private var ending: Ending {
      func text(_ file: String) -> String {
        String(decoding: FileManager.default.contents(atPath: file) ?? Data(), as: UTF8.self)
      }
      return Ending(
        exitCode: process.isRunning ? -1 : process.terminationStatus, output: text(output),
        errors: text(errors))
    }
  }

  @Test("What it plays and records is what render writes, with the opcodes of the pack")
  func sameAsRender() throws {
    let (raw, recording, rendered) = (Rig.file(), Rig.file() + ".wav", Rig.file() + ".wav")
    let device = Rig.name(["FILE=\(raw)", "SPEED=8", "WAIT=1"])
    let ending = try opcodekit(
      "play", csd, "--device", device, "--period", "1024", "--record", recording)
    #expect(ending.exitCode == 0, "\(ending.errors)")
    #expect(ending.output.contains("peak -10.8 dBFS"))
    #expect(!ending.errors.contains("overall") && !ending.errors.contains("inactive"))
    #expect(try opcodekit("render", csd, "-o", rendered).exitCode == 0)
    let expected = try Sound(readingFrom: rendered)
    let recorded = try Sound(readingFrom: recording)
    let differing = zip(recorded.samples, expected.samples).count { $0 != $1 }
    #expect(differing == 0 && recorded.frameCount >= expected.frameCount)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: raw))
    let sound = bytes.withUnsafeBytes { $0.bindMemory(to: Float.self).map(Double.init) }
    let wrong = zip(sound, expected.samples).count { $0 != $1 }
    #expect(wrong == 0)
  }

  @Test("Without a device it says what to do; with --device null it plays all the same")
  func noDevice() throws {
    let empty = Rig.file()
    try "".write(toFile: empty, atomically: true, encoding: .utf8)
    let without = try run(
      tool, ["play", csd], environment: ["OPCODEKIT_ROOT": root, "ALSA_CONFIG_PATH": empty])
    #expect(without.exitCode == 69)
    #expect(
      without.errors.contains("'default' cannot be opened")
        && without.errors.contains("--device null"))
    let null = try opcodekit("play", csd, "--device", "null", "--duration", "0.2")
    #expect(null.exitCode == 0)
    #expect(try opcodekit("play").exitCode == 64)
    #expect(try opcodekit("play", "nosuch.csd", "--device", "null").exitCode == 66)
    #expect(try opcodekit("play", csd, "--period", "0").exitCode == 64)
    #expect(
      try opcodekit("play", csd, "--device", "null", "--record", "/nosuch/a.wav").exitCode == 73)
  }

  @Test("Where the output has NaN, it is silenced, and play ends with 1 and a sentence")
  func notFinite() throws {
    let csd = Rig.file() + ".csd"
    try """
    <CsoundSynthesizer>
    <CsInstruments>
    0dbfs = 1
    instr 1
    a1 init sqrt(-1)
    out a1
    endin
    </CsInstruments>
    <CsScore>
    i 1 0 0.1
    </CsScore>
    </CsoundSynthesizer>
    """.write(toFile: csd, atomically: true, encoding: .utf8)
    let ending = try opcodekit("play", csd, "--device", Rig.name(["SPEED=8"]))
    #expect(ending.exitCode == 1)
    #expect(ending.errors.contains("4410 samples are NaN or infinite; they were silenced."))
  }

  @Test(
    "A program without the FL opcodes lets the one that has them play a piece with widgets of FLTK")
  func takesOver() throws {
    let csd = NSTemporaryDirectory() + "/opcodekit-\(UUID()).csd"
    try """
    <CsoundSynthesizer>
    <CsInstruments>
    0dbfs = 1
    FLpanel "Controls", 400, 200
    gklevel, ilevel FLslider "level", 0, 1, 0, 2, -1, 200, 20, 10, 10
    FLpanelEnd
    FLrun
    instr 1
    printks "level %.1f%n", 1, gklevel
    endin
    </CsInstruments>
    <CsScore>
    i 1 0 0.2
    </CsScore>
    </CsoundSynthesizer>
    """.write(toFile: csd, atomically: true, encoding: .utf8)
    let ending = try run(
      products + "/opcodekit-play", ["play", csd, "--device", "null"],
      environment: ["OPCODEKIT_ROOT": root])
    #expect(ending.exitCode == 0, "\(ending.errors)")
    #expect(ending.errors.contains("level 0.0"), "\(ending.output)\(ending.errors)")
  }

  @Test("A piece that lacks a sample ends with 66, unless a version saved later does without it")
  func mendedSample() throws {
    let path = Rig.file() + ".csd"
    func write(_ instrument: String) throws {
      try """
      <CsoundSynthesizer>
      <CsInstruments>
      0dbfs = 1
      instr 1
        out \(instrument)
      endin
      </CsInstruments>
      <CsScore>
      i1 0 30
      f 0 30
      </CsScore>
      </CsoundSynthesizer>
      """.write(toFile: path, atomically: true, encoding: .utf8)
    }
    try write("diskin2:a(\"nosample.wav\")")
    for isMended in [false, true] {
      let play = try Run(path, "--device", "null")
      #expect(play.hears("nosample.wav"))
      if isMended {
        try write("oscili:a(0.1, 440)")
        #expect(play.hears("the new version plays"))
      }
      play.say("quit")
      let ending = play.end()
      #expect(ending.exitCode == (isMended ? 0 : 66), "\(ending.errors)")
    }
  }

  @Test("Ctrl-C fades out and leaves the recording whole")
  func interrupted() throws {
    let recording = Rig.file() + ".wav"
    let play = try Run(csd, "--device", Rig.name(), "--period", "1024", "--record", recording)
    #expect(play.hears("48000 Hz"))
    usleep(300_000)
    kill(play.process.processIdentifier, SIGINT)
    let ending = play.end()
    #expect(ending.exitCode == 130)
    #expect(ending.errors.contains("is complete up to there"))
    let sound = try Sound(readingFrom: recording)
    let quarter = sound.frameCount / 4
    #expect(quarter > 1000 && sound.prefix(frames: quarter).peak > 0.01)
    #expect(abs(try #require(sound.samples.last)) < 1e-3)
  }

  @Test("An unplugged device ends it with a sentence and leaves the recording whole")
  func unplugged() throws {
    let recording = Rig.file() + ".wav"
    let ending = try opcodekit(
      "play", csd, "--device", Rig.name(["UNPLUG=24000", "SPEED=2"]), "--record", recording)
    #expect(ending.exitCode == 69)
    #expect(ending.errors.contains("The sound device was unplugged."))
    #expect(try Sound(readingFrom: recording).peak > 0.01)
  }

  private let silent = """
    <CsoundSynthesizer>
    <CsInstruments>
    sr = 48000
    ksmps = 64
    nchnls = 1
    0dbfs = 1
    chn_k "level", 3
    instr 1
      klevel chnget "level"
      out a(klevel)
    endin
    </CsInstruments>
    <CsScore>
    f 0 10
    </CsScore>
    </CsoundSynthesizer>
    """

  @Test("Score lines, channels and orchestra code are taken from standard input")
  func standardInput() throws {
    let (file, raw) = (Rig.file() + ".csd", Rig.file())
    try silent.write(toFile: file, atomically: true, encoding: .utf8)
    let play = try Run(file, "--device", Rig.name(["FILE=\(raw)"]), "--duration", "1.5")
    #expect(play.hears("48000 Hz"))
    play.say("level = 0.25")
    play.say("i 1 0 0.2")
    usleep(400_000)
    play.say("instr 2\n  out a(p4)\nendin")
    play.say("i 2 0 0.2 0.5")
    play.say("instr 3\n nonsense\nendin")
    #expect(play.hears("Csound cannot compile this"))
    #expect(play.end().exitCode == 0)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: raw))
    let sound = bytes.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    let (first, second) = (sound.firstIndex(of: 0.25), sound.firstIndex(of: 0.5))
    #expect(try #require(first) < (try #require(second)))
    #expect(sound.count { $0 == 0.25 } >= 9500)
  }

  @Test("What is typed wrong is told with what may have been meant, help lists what can be typed")
  func nearMisses() throws {
    let file = Rig.file() + ".csd"
    try silent.replacing("i 1 0 10", with: "").write(
      toFile: file, atomically: true, encoding: .utf8)
    let play = try Run(file, "--device", "null", "--duration", "60")
    #expect(play.hears("48000 Hz"))
    for (line, answer) in [
      ("levl = 3", "No channel is called 'levl'; did you mean level?"),
      ("hepl", "There is no command 'hepl'; did you mean help?"),
      ("learn", "learn needs the name of a channel"),
      ("help", "quit, exit       fades out and ends"),
      ("level 3", "A channel is set with a number: 'level = 0.5'."),
      ("forgett level", "Did you mean forget?"),
      ("nonsense 1, 2", "'help' lists what can be typed."),
    ] {
      play.say(line)
      #expect(play.hears(answer), "\(line)")
    }
    // Channels named in the piece or in typed code are known.
    play.say("instr 5\n chnset 1, \"typed\"\nendin")
    play.say("typed = 2")
    play.say("level = 0.25")
    play.say("elvel = 0.25")
    #expect(play.hears("No channel is called 'elvel'"))
    play.say("quit")
    let ending = play.end()
    #expect(ending.exitCode == 0 && ending.output.contains(" s, "))
    #expect(!ending.errors.contains("called 'typed'") && !ending.errors.contains("called 'level'"))
  }

  @Test("A controller is learned by a typed line and kept beside the piece")
  func learned() throws {
    let name = Rig.file()
    let (file, raw, fifo) = (name + ".csd", Rig.file(), Rig.file())
    try silent.replacing("chn_k \"level\", 3", with: "chn_k \"level\", 3, 2, 0, 0, 0.5")
      .replacing("f 0 10", with: "i 1 0 10").write(toFile: file, atomically: true, encoding: .utf8)
    try #require(mkfifo(fifo, 0o600) == 0)
    let device = Rig.name(["FILE=\(raw)"])
    for isLearning in [true, false] {
      let play = try Run(file, "--device", device, "--midi", fifo, "--duration", "60")
      #expect(play.hears("48000 Hz"))
      let keys = try #require(FileHandle(forWritingAtPath: fifo))
      if isLearning {
        play.say("learn levle")
        #expect(play.hears("No channel is called 'levle'; did you mean level?"))
        play.say("learn level")
        #expect(play.hears("Move the controller that is to set level from 0.0 to 0.5."))
        keys.write(Data([0xB0, 20, 1, 20, 2]))
        #expect(play.hears("Controller 20 sets level."))
        play.say("forget nothing")
        #expect(play.hears("No controller sets 'nothing'."))
      }
      keys.write(Data([0xB0, 20, 127]))
      usleep(200_000)
      kill(play.process.processIdentifier, SIGINT)
      #expect(play.end().exitCode == 130)
      let bytes = try Data(contentsOf: URL(fileURLWithPath: raw))
      let sound = bytes.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
      #expect(sound.count { $0 == 0.5 } > 1000)
    }
    #expect(try String(contentsOfFile: name + ".cc", encoding: .utf8) == "20=level:0..0.5:lin\n")
    let without = try Run(file, "--device", "null", "--duration", "60")
    #expect(without.hears("48000 Hz"))
    without.say("learn level")
    #expect(without.hears("There is no MIDI to learn from; --midi names a source."))
    kill(without.process.processIdentifier, SIGINT)
    #expect(without.end().exitCode == 130)
  }

  @Test("Panel and controllers that are half written are kept aside, and the piece plays without")
  func halfWritten() throws {
    // As Foundation writes it in paths of its own.
    let (name, fifo) = (Rig.file().replacing("//", with: "/"), Rig.file())
    try silent.write(toFile: name + ".csd", atomically: true, encoding: .utf8)
    try #require(mkfifo(fifo, 0o600) == 0)
    let kept = ["panel.json": #"{"version": 1, "wid"#, "cc": "20=level:0..0.5:lin\n21=le:"]
    for (ending, text) in kept {
      try text.write(toFile: "\(name).\(ending)", atomically: true, encoding: .utf8)
    }
    let play = try Run(
      name + ".csd", "--device", "null", "--midi", fifo, "--duration", "0.1"
    ).end()
    #expect(play.exitCode == 0)
    for (ending, aside, beginning) in [
      ("panel.json", "panel.unreadable.json", "with the panel of its own text"),
      ("cc", "unreadable.cc", "without learned controllers"),
    ] {
      let place = "\(name).\(aside)"
      #expect(play.errors.contains("begins \(beginning); the file is kept as '\(place)'."))
      #expect(try String(contentsOfFile: place, encoding: .utf8) == kept[ending])
      #expect(access("\(name).\(ending)", F_OK) != 0)
    }
  }

  @Test(
    "A program change sets a preset, unless the piece uses programs itself",
    arguments: [
      ("pgmassign 0, 1", true), ("pgmassign 0, -1", false),
      ("pgmassign 0, -1\ninstr 2\nk1, k2, k3, k4 midiin\nendin", false),
      ("pgmassign 0, -1\ninstr 2\nk1, k2, k3, k4 midiin\nk5 = k1 == 192 ? 1 : 0\nendin", true),
      ("instr 2\nk1, k2, k3, k4 midiin\nendin", true),
    ])
  func programs(lines: String, isOwn: Bool) throws {
    let name = Rig.file()
    let (file, raw, fifo) = (name + ".csd", Rig.file(), Rig.file())
    try silent.replacing("chn_k \"level\", 3", with: lines + "\nchn_k \"level\", 3, 2, 0, 0, 0.5")
      .replacing("f 0 10", with: "i 1 0 10").write(toFile: file, atomically: true, encoding: .utf8)
    try #"[{"name":"None","values":{"level":0}},{"name":"Loud","values":{"level":0.5}}]"#.write(
      toFile: name + ".presets.json", atomically: true, encoding: .utf8)
    try #require(mkfifo(fifo, 0o600) == 0)
    let play = try Run(
      file, "--device", Rig.name(["FILE=\(raw)"]), "--midi", fifo, "--panel", "--port",
      "\(freePort())", "--duration", "60")
    #expect(play.hears("48000 Hz") && play.hears("The panel is at"))
    let keys = try #require(FileHandle(forWritingAtPath: fifo))
    keys.write(Data([0xC0, 5, 0xC3, 1]))
    let says = play.hears("Program 2 sets the preset 'Loud'.", atMost: isOwn ? 0.5 : 30)
    #expect(says != isOwn)
    #expect(play.hears("Program 6: There is no preset 6; the piece has 2.", atMost: 0.1) != isOwn)
    usleep(200_000)
    kill(play.process.processIdentifier, SIGINT)
    #expect(play.end().exitCode == 130)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: raw))
    let sound = bytes.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    #expect((sound.count { $0 == 0.5 } > 1000) != isOwn)
  }

  @Test("Notes of an MPE controller have bends of their own, and that of the zone")
  func mpe() throws {
    let (file, raw, fifo) = (Rig.file() + ".csd", Rig.file(), Rig.file())
    try silent.replacing(
      "klevel chnget \"level\"", with: "kbend pchbend 0, 48\n  klevel = kbend / 96"
    )
    .write(toFile: file, atomically: true, encoding: .utf8)
    try #require(mkfifo(fifo, 0o600) == 0)
    let play = try Run(
      file, "--device", Rig.name(["FILE=\(raw)"]), "--midi", fifo, "--mpe", "48", "--duration", "60"
    )
    #expect(play.hears("48000 Hz"))
    let keys = try #require(FileHandle(forWritingAtPath: fifo))
    func heard(_ level: Float) throws -> Bool {
      let bytes = try Data(contentsOf: URL(fileURLWithPath: raw))
      return bytes.withUnsafeBytes { bytes in
        bytes.bindMemory(to: Float.self).contains { abs($0 - level) < 2e-4 }
      }
    }
    // Half of 48 semitones, then 2 more from the wheel of the zone.
    keys.write(Data([0xE4, 0, 96, 0x94, 60, 100]))
    #expect(try waits { try heard(24 / 96) })
    keys.write(Data([0xE0, 127, 127]))
    #expect(try waits { try heard(26 / 96) })
    play.say("quit")
    #expect(play.end().exitCode == 0)
    let without = try opcodekit("play", file, "--mpe", "48", "--device", "null")
    #expect(without.exitCode == 64 && without.errors.contains("--mpe needs a source of MIDI"))
  }

  @Test("What a killed run has recorded is there after the next recording to the same file")
  func rescued() throws {
    let (file, recording) = (Rig.file() + ".csd", Rig.file() + ".wav")
    try silent.write(toFile: file, atomically: true, encoding: .utf8)
    let killed = try Run(file, "--device", "null", "--record", recording)
    #expect(killed.hears("48000 Hz"))
    usleep(700_000)
    let number = killed.process.processIdentifier
    kill(number, SIGKILL)
    _ = killed.end()
    let next = try Run(file, "--device", "null", "--record", recording, "--duration", "0.1")
    #expect(next.end().exitCode == 0)
    let name = "\((recording as NSString).deletingPathExtension)-\(number).wav"
    #expect(next.hears("'\(name)' is what a run that was killed has recorded."))
    #expect(try Sound(readingFrom: name).duration > 0.4)
    #expect(try Sound(readingFrom: recording).duration < 0.3)
  }

  @Test("A piece that never comes back from a k-cycle can be stopped, and its recording is whole")
  func hangs() throws {
    let (file, recording) = (Rig.file() + ".csd", Rig.file() + ".wav")
    let endless = "instr 1\n kc init 0\nagain:\n kc += 1\n if kc > 0 kgoto again\nendin"
    try silent.replacing("instr 1", with: endless + "\ninstr 2")
      .replacing("f 0 10", with: "i 1 0.2 1").write(toFile: file, atomically: true, encoding: .utf8)
    let play = try Run(file, "--device", Rig.name(), "--record", recording)
    #expect(play.hears("48000 Hz"))
    usleep(400_000)
    kill(play.process.processIdentifier, SIGINT)
    let ending = play.end()
    #expect(ending.exitCode == 76 && ending.errors.contains("the piece hangs"))
    #expect(try Sound(readingFrom: recording).frameCount > 5000)
  }

  @Test("Saving the piece lets the new version take over without a click, or says why not")
  func saved() throws {
    let (file, raw) = (Rig.file() + ".csd", Rig.file())
    let playing = silent.replacing("f 0 10", with: "i 1 0 10")
      .replacing("a(klevel)", with: "a(0.25)")
    try playing.write(toFile: file, atomically: true, encoding: .utf8)
    let play = try Run(
      file, "--device", Rig.name(["FILE=\(raw)", "WAIT=1"]), "--period", "1024", "--duration", "3")
    #expect(play.hears("48000 Hz"))
    try playing.replacing("a(0.25)", with: "nonsense").write(
      toFile: file, atomically: true, encoding: .utf8)
    #expect(play.hears("the old version plays on. Csound cannot compile"))
    try playing.replacing("0.25", with: "0.5").write(
      toFile: file, atomically: true, encoding: .utf8)
    #expect(play.hears("the new version plays"))
    let ending = play.end()
    #expect(ending.exitCode == 0, "\(ending.errors)")
    let bytes = try Data(contentsOf: URL(fileURLWithPath: raw))
    let sound = bytes.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    #expect(sound.contains(0.25) && sound.contains(0.5))
    // In the first cycle the orchestra rises to 0.25. After the save it rises to 0.5 in 480 steps, and at the end it
    // falls to 0 in the same number.
    let steps = zip(sound, sound.dropFirst()).map { abs($0 - $1) }
    #expect(steps.dropFirst(64).allSatisfy { $0 < 0.002 })
  }

  @Test("timing tells what it is asked for")
  func timing() throws {
    let ending = try opcodekit("dev", "timing", "latency", "channels", "--voices", "2")
    #expect(ending.exitCode == 0)
    #expect(ending.output.contains("one orchestra") && ending.output.contains("period 441"))
    #expect(!ending.output.contains("precise timer"))
    let unknown = try opcodekit("dev", "timing", "chanels")
    #expect(unknown.exitCode == 64 && unknown.errors.contains("did you mean channels?"))
  }

  @Test("devices lists the devices there are, and null")
  func devices() throws {
    _ = Rig.configuration
    let ending = try opcodekit("devices")
    #expect(ending.exitCode == 0)
    #expect(ending.output.contains("OpcodeKit's sound rig") && ending.output.contains("null"))
    #expect(try opcodekit("devices", "--json").output.contains("\"name\": \"rig\""))
  }
}
