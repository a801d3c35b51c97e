import Foundation
import HarnessBase
import TestSupport
import Testing

@Suite("play", .serialized)
struct PlayTests {
  let csd = root + "/csd/MOOGLADDER.csd"

  @Test("Without a device it says what to do; with --device null it plays all the same")
  func noDevice() throws {
    let empty = Rig.file()
    try "".save(to: empty)
    try opcodekit(["play", csd], environment: ["ALSA_CONFIG_PATH": empty]).refused(
      69, "'default' cannot be opened", "--device null")
    try opcodekit("play", csd, "--device", "null", "--duration", "0.2").good()
    #expect(try opcodekit("play").exitCode == 64)
    #expect(try opcodekit("play", "nosuch.csd", "--device", "null").exitCode == 66)
    #expect(try opcodekit("play", csd, "--period", "0").exitCode == 64)
    try opcodekit("play", csd, "--device", "null", "--record", "/nosuch/a.wav").refused(73)
  }

  @Test("Where the output has NaN, it is silenced, and play ends with 1 and a sentence")
  func notFinite() throws {
    let csd = try """
    0dbfs = 1
    instr 1
    a1 init sqrt(-1)
    out a1
    endin
    """.csd(score: "i 1 0 0.1").saved()
    try opcodekit("play", csd, "--device", Rig.name(["SPEED=8"])).refused(
      1, "4410 samples are NaN or infinite; they were silenced.")
  }

  @Test(
    "A program without the FL opcodes lets the one that has them play a piece with widgets of FLTK")
  func takesOver() throws {
    let csd = try """
    0dbfs = 1
    FLpanel "Controls", 400, 200
    gklevel, ilevel FLslider "level", 0, 1, 0, 2, -1, 200, 20, 10, 10
    FLpanelEnd
    FLrun
    instr 1
    printks "level %.1f%n", 1, gklevel
    endin
    """.csd(score: "i 1 0 0.2").saved()
    try run(
      products + "/opcodekit-play", ["play", csd, "--device", "null"],
      environment: ["OPCODEKIT_ROOT": root]
    ).good().tells("level 0.0")
  }

  @Test("A piece that lacks a sample ends with 66, unless a version saved later does without it")
  func mendedSample() throws {
    let path = Rig.file() + ".csd"
    func write(_ instrument: String) throws {
      try """
      0dbfs = 1
      instr 1
        out \(instrument)
      endin
      """.csd(score: "i1 0 30\nf 0 30").save(to: path)
    }
    try write("diskin2:a(\"nosample.wav\")")
    for isMended in [false, true] {
      let play = try RunningTool.play(path, "--device", "null")
      #expect(play.hears("nosample.wav"))
      if isMended {
        try write("oscili:a(0.1, 440)")
        #expect(play.hears("the new version plays"))
      }
      play.quit().refused(isMended ? 0 : 66)
    }
  }

  @Test("Ctrl-C fades out and leaves the recording whole")
  func interrupted() throws {
    let recording = Rig.file() + ".wav"
    let play = try RunningTool.playing(
      csd, "--device", Rig.name(), "--period", "1024", "--record", recording)
    usleep(300_000)
    play.interrupt().refused(130, "is complete up to there")
    let sound = try Sound(readingFrom: recording)
    let quarter = sound.frameCount / 4
    #expect(quarter > 1000 && sound.prefix(frames: quarter).peak > 0.01)
    #expect(abs(try #require(sound.samples.last)) < 1e-3)
  }

  @Test("An unplugged device ends it with a sentence and leaves the recording whole")
  func unplugged() throws {
    let recording = Rig.file() + ".wav"
    try opcodekit(
      "play", csd, "--device", Rig.name(["UNPLUG=24000", "SPEED=2"]), "--record", recording
    ).refused(69, "The sound device was unplugged.")
    #expect(try Sound(readingFrom: recording).peak > 0.01)
  }

  let silent = """
    chn_k "level", 3
    instr 1
      klevel chnget "level"
      out a(klevel)
    endin
    """.csd(score: "f 0 10", ksmps: 64)

  @Test("Score lines, channels and orchestra code are taken from standard input")
  func standardInput() throws {
    let (file, raw) = (Rig.file() + ".csd", Rig.file())
    try silent.save(to: file)
    let play = try RunningTool.playing(
      file, "--device", Rig.name(["FILE=\(raw)"]), "--duration", "1.5")
    play.type("level = 0.25")
    play.type("i 1 0 0.2")
    usleep(400_000)
    play.type("instr 2\n  out a(p4)\nendin")
    play.type("i 2 0 0.2 0.5")
    play.type("instr 3\n nonsense\nendin")
    #expect(play.hears("Csound cannot compile this"))
    #expect(play.end().exitCode == 0)
    let sound = try Rig.samples(of: raw)
    let (first, second) = (sound.firstIndex(of: 0.25), sound.firstIndex(of: 0.5))
    #expect(try #require(first) < (try #require(second)))
    #expect(sound.count { $0 == 0.25 } >= 9500)
  }

  @Test("What is typed wrong is told with what may have been meant, help lists what can be typed")
  func nearMisses() throws {
    let play = try RunningTool.playing(silent.saved(), "--device", "null", "--duration", "60")
    for (line, answer) in [
      ("levl = 3", "No channel is called 'levl'; did you mean level?"),
      ("hepl", "There is no command 'hepl'; did you mean help?"),
      ("learn", "learn needs the name of a channel"),
      ("help", "quit, exit       fades out and ends"),
      ("level 3", "A channel is set with a number: 'level = 0.5'."),
      ("forgett level", "Did you mean forget?"),
      ("nonsense 1, 2", "'help' lists what can be typed."),
    ] {
      play.type(line)
      #expect(play.hears(answer), "\(line)")
    }
    // Channels named in the piece or in typed code are known.
    play.type("instr 5\n chnset 1, \"typed\"\nendin")
    play.type("typed = 2")
    play.type("level = 0.25")
    play.type("elvel = 0.25")
    #expect(play.hears("No channel is called 'elvel'"))
    let ending = try play.quit().good().says(" s, ")
    #expect(!ending.errors.contains("called 'typed'") && !ending.errors.contains("called 'level'"))
  }

  @Test(
    "A program change sets a preset, unless the piece uses programs itself",
    arguments: [
      ("pgmassign 0, 1", true), ("pgmassign 0, -1\ninstr 2\nk1, k2, k3, k4 midiin\nendin", false),
      ("pgmassign 0, -1\ninstr 2\nk1, k2, k3, k4 midiin\nk5 = k1 == 192 ? 1 : 0\nendin", true),
      ("instr 2\nk1, k2, k3, k4 midiin\nendin", true),
    ])
  func programs(lines: String, isOwn: Bool) throws {
    let name = Rig.file()
    let (file, raw, fifo) = (name + ".csd", Rig.file(), Rig.fifo())
    try silent.replacing("chn_k \"level\", 3", with: lines + "\nchn_k \"level\", 3, 2, 0, 0, 0.5")
      .replacing("f 0 10", with: "i 1 0 10").save(to: file)
    try #"[{"name":"None","values":{"level":0}},{"name":"Loud","values":{"level":0.5}}]"#.save(
      to: name + ".presets.json")
    let play = try RunningTool.play(
      file, "--device", Rig.name(["FILE=\(raw)"]), "--midi", fifo, "--panel", "--port",
      "\(freePort())", "--duration", "60")
    #expect(play.hears("48000 Hz") && play.hears("The panel is at"))
    let keys = try #require(FileHandle(forWritingAtPath: fifo))
    keys.write(Data([0xC0, 5, 0xC3, 1]))
    let says = play.hears("Program 2 sets the preset 'Loud'.", atMost: isOwn ? 0.5 : 30)
    #expect(says != isOwn)
    #expect(play.hears("Program 6: There is no preset 6; the piece has 2.", atMost: 0.1) != isOwn)
    func isHeard() throws -> Bool { try Rig.samples(of: raw).count { $0 == 0.5 } > 1000 }
    if isOwn { usleep(200_000) } else { try waits(until: isHeard) }
    play.interrupt().refused(130)
    #expect(try isHeard() != isOwn)
  }

  @Test("What a killed run has recorded is there after the next recording to the same file")
  func rescued() throws {
    let (file, recording) = (try silent.saved(), Rig.file() + ".wav")
    let killed = try RunningTool.playing(file, "--device", "null", "--record", recording)
    usleep(700_000)
    let number = killed.number
    killed.interrupt(SIGKILL)
    let next = try RunningTool.play(
      file, "--device", "null", "--record", recording, "--duration", "0.1")
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
      .replacing("f 0 10", with: "i 1 0.2 1").save(to: file)
    let play = try RunningTool.playing(file, "--device", Rig.name(), "--record", recording)
    usleep(400_000)
    play.interrupt().refused(76, "the piece hangs")
    #expect(try Sound(readingFrom: recording).frameCount > 5000)
  }

  @Test("Saving the piece lets the new version take over without a click, or says why not")
  func saved() throws {
    let (file, raw) = (Rig.file() + ".csd", Rig.file())
    let playing = silent.replacing("f 0 10", with: "i 1 0 10")
      .replacing("a(klevel)", with: "a(0.25)")
    try playing.save(to: file)
    let play = try RunningTool.playing(
      file, "--device", Rig.name(["FILE=\(raw)", "WAIT=1"]), "--period", "1024", "--duration", "3")
    try playing.replacing("a(0.25)", with: "nonsense").save(to: file)
    #expect(play.hears("the old version plays on. Csound cannot compile"))
    try playing.replacing("0.25", with: "0.5").save(to: file)
    #expect(play.hears("the new version plays"))
    try play.end().good()
    let sound = try Rig.samples(of: raw)
    #expect(sound.contains(0.25) && sound.contains(0.5))
    // In the first cycle the orchestra rises to 0.25. After the save it rises to 0.5 in 480 steps, and at the end it
    // falls to 0 in the same number.
    let steps = zip(sound, sound.dropFirst()).map { abs($0 - $1) }
    #expect(steps.dropFirst(64).allSatisfy { $0 < 0.002 })
  }

  @Test("devices lists the devices there are, and null")
  func devices() throws {
    _ = Rig.configuration
    try opcodekit("devices").good().says("OpcodeKit's sound rig", "null")
    #expect(try opcodekit("devices", "--json").output.contains("\"name\": \"rig\""))
  }
}
