import CsoundLive
import Foundation
import HarnessBase
import TestSupport
import Testing

@Suite("Performances", .serialized)
struct PerformanceTests {
  static let steady = """
    \(header())
    instr 1
      a1 init 0.5
      out a1
    endin
    """
  static let piece = Piece(.orchestra(steady, score: "i 1 0 3600"))

  @Test("A pause fades out, keeps the piece where it is, and fades in")
  func pause() throws {
    let file = Rig.file()
    let ramp = Self.steady.replacing("a1 init 0.5", with: "a1 line 0, 10, 1")
    let performance = Performance(
      ramp, "i 1 0 0.5", Settings(device: Rig.device("FILE=\(file)", "WAIT=1"), period: 512))
    try performance.play()
    usleep(100_000)
    performance.pause()
    while performance.status?.isPaused == false { usleep(1000) }
    let frame = performance.frame
    usleep(50_000)
    #expect(performance.status?.isPaused == true)
    performance.resume()
    performance.wait()
    let sound = try played(file)
    let silence = (frame..<sound.count).first { sound[$0] == 0 }
    #expect(silence != nil)
    // The piece is 24000 frames long, and what was silent came on top.
    #expect(sound.count >= 24_000 + 1024)
    #expect(sound.max()! > 0.049)
    let steps = zip(sound, sound.dropFirst()).map { abs($0 - $1) }
    #expect(steps.dropLast(1024).allSatisfy { $0 < 0.001 })
  }

  @Test("Stopping fades out within 10 ms; playing again begins at the beginning")
  func stop() throws {
    let file = Rig.file()
    let performance = Performance(
      Self.piece, settings: Settings(device: Rig.device("FILE=\(file)", "WAIT=1"), period: 256))
    for _ in 0..<2 {
      try performance.play()
      #expect(performance.isPlaying)
      usleep(100_000)
      performance.stop()
      #expect(!performance.isPlaying)
      let sound = try played(file)
      let fade = sound.drop { $0 == 0.5 }
      #expect(sound.first == 0.5 && sound.last == 0 && fade.count <= 480 + 256)
      let steps = zip(sound, sound.dropFirst()).map { abs($0 - $1) }
      #expect(steps.max()! < 0.002)
    }
  }

  @Test(
    "Thousands of channels are linked, each of them works; one too many is refused with a sentence")
  func manyLinks() throws {
    let last = ControlValue("c2999")
    let performance = Performance(Self.steady + "\nchn_k \"c2999\", 3", "i 1 0 3600")
    for number in 0..<2999 { try performance.add(ControlValue("c\(number)")) }
    let seen = ObservedValue("c2999")
    try performance.add(last, seen)
    try performance.play()
    defer { performance.stop() }
    last.value = 0.75
    #expect(waits { seen.value == 0.75 })
    let error = #expect(throws: Failure.self) {
      for number in 0..<9000 { try performance.add(ControlValue("d\(number)")) }
    }
    #expect(error?.message.contains("at most 8192 links") == true)
  }

  @Test("Two performances on two devices at once, each its own piece")
  func two() throws {
    let files = [Rig.file(), Rig.file()]
    let performances = zip(files, ["0.25", "0.5"]).map { file, level in
      Performance(
        Piece(
          .orchestra(
            Self.steady.replacing("init 0.5", with: "init \(level)"), score: "i 1 0 0.3")),
        settings: Settings(device: Rig.device("FILE=\(file)", "SPEED=2")))
    }
    for performance in performances { try performance.play() }
    for performance in performances { performance.wait() }
    for (file, level) in zip(files, [Float(0.25), 0.5]) {
      let sound = try played(file)
      #expect(sound.count >= 14_400 && sound.prefix(14_400).allSatisfy { $0 == level })
    }
  }

  @Test(
    "Input comes out after exactly the stated round trip",
    arguments: [(256, 64), (256, 100), (64, 256)])
  func duplex(period: Int, ksmps: Int) throws {
    let cable = "LOOP=c\(period)x\(ksmps)"
    let file = Rig.file()
    // A click each 6000 frames; what comes in is played on another channel.
    let orchestra = """
      \(header(ksmps: ksmps, channels: 2))
      nchnls_i = 2
      instr 1
        a1 mpulse 0.5, 0.125
        ain1, ain2 ins
        outs a1, ain1
      endin
      """
    // Devices that are not linked start one after the other: where other work comes between, the way is longer
    // by whole periods.
    let failures = try tenTries {
      let ear = Ear()
      let performance = Performance(
        orchestra, "i 1 0 1",
        Settings(
          device: Rig.device("FILE=\(file)", cable, "SPEED=2"),
          input: Rig.name([cable, "SPEED=2"]), period: period, periods: 4), listener: ear.listener)
      let format = try performance.play()
      let roundTrip = try #require(format.roundTrip)
      #expect(
        roundTrip == format.buffer + CycleAdapter.latency(ksmps: ksmps, period: format.period))
      performance.wait()
      #expect(ear.ending?.0 == .finished)
      let sound = try played(file)
      let sent = stride(from: 0, to: sound.count, by: 2).filter { sound[$0] == 0.5 }.map { $0 / 2 }
      let heard = stride(from: 1, to: sound.count, by: 2).filter { sound[$0] == 0.5 }.map { $0 / 2 }
      let distances = zip(sent, heard).map { $1 - $0 }
      let isWhole = sent.count >= 7 && heard.count >= sent.count - 2
      return (
        isWhole && distances.allSatisfy { $0 == roundTrip },
        "\(distances) \(roundTrip) \(performance.status!.xruns)"
      )
    }
    #expect(failures.isEmpty)
  }

  @Test(
    "Of an input with many channels each is heard, and more than the device has are refused",
    arguments: [65, 128])
  func wide(channels: Int) throws {
    let cable = "LOOP=wide\(channels)"
    // Channel n of the output is n/256; the last channel of the input goes on as a message.
    let orchestra = """
      \(header(channels: channels))
      nchnls_i = \(channels)
      chn_k "heard", 2
      instr 1
        kchannel = 1
        while kchannel <= \(channels) do
          outch kchannel, upsamp(kchannel / 256)
          kchannel += 1
        od
        a1 inch \(channels)
        chnset downsamp(a1), "heard"
      endin
      """
    let (heard, last) = (ObservedValue("heard"), Double(channels) / 256)
    let performance = Performance(
      orchestra, "i 1 0 3600",
      Settings(
        device: Rig.device(cable, "CHANNELS=\(channels)"),
        input: Rig.name([cable, "CHANNELS=\(channels)"]), period: 1024))
    try performance.add(heard)
    let format = try performance.play()
    #expect(format.channels == channels && format.inputChannels == channels)
    #expect(waits { heard.value == last })
    performance.stop()
    let narrow = Performance(
      Self.steady + "\nnchnls_i = 65", "i 1 0 0.1",
      Settings(device: .null, input: Rig.name(["CHANNELS=2"])))
    let error = #expect(throws: Failure.self) { try narrow.play() }
    #expect(error?.message.contains("65 input channels; at most 64") == true)
    // An orchestra of one channel hears the first of many.
    let one = Performance(
      Self.steady + "\nnchnls_i = 1", "i 1 0 0.2",
      Settings(device: .null, input: Rig.name(["CHANNELS=\(channels)"])))
    #expect(try one.play().inputChannels == channels)
    one.wait()
  }

  @Test(
    "In a pause the piece can be replaced, again and again, its tables read, and it can be stopped")
  func paused() throws {
    let orchestra = Self.steady + "\ngitable ftgen 1, 0, 4, -2, 5, 6, 7, 8\n"
    let piece = Piece(.orchestra(orchestra, score: "i 1 0 3600"))
    let performance = Performance(piece, settings: Settings(device: .null))
    let done = DispatchSemaphore(value: 0)
    for resumes in [true, false] {
      try performance.play()
      performance.pause()
      while performance.status?.isPaused == false { usleep(1000) }
      let before = try #require(performance.status).peaks.count
      Thread {
        for _ in 0..<3 { try? performance.replace(with: piece) }
        if let table = try? performance.table(1), table == [5, 6, 7, 8] { done.signal() }
      }.start()
      try #require(done.wait(timeout: .now() + 30) == .success)
      if resumes {
        performance.resume()
        waits { performance.status?.peaks.max() ?? 0 >= 0.49 }
        #expect(performance.status?.isPaused == false && before == 1)
      }
      performance.requestStop()
      try #require(performance.wait(atMost: 30))
    }
  }

  @Test(
    "Another version takes over the input too, without a gap",
    arguments: [(512, 256), (512, 100), (64, 256)])
  func duplexReplaced(period: Int, ksmps: Int) throws {
    let (cable, file) = ("LOOP=r\(period)x\(ksmps)", Rig.file())
    // A slow sine comes back through the cable, and is played on another channel.
    let orchestra = """
      \(header(ksmps: ksmps, channels: 2))
      nchnls_i = 2
      instr 1
        a1 poscil 0.5, 50
        ain1, ain2 ins
        outs a1, ain1
      endin
      """
    let piece = Piece(.orchestra(orchestra, score: "i 1 0 1.5"))
    let failures = try tenTries {
      let performance = Performance(
        piece,
        settings: Settings(
          device: Rig.device("FILE=\(file)", cable), input: Rig.name([cable]), period: period,
          periods: 4))
      let format = try performance.play()
      usleep(300_000)
      try performance.replace(with: piece)
      performance.wait()
      let sound = try played(file)
      let heard = stride(from: 1, to: sound.count, by: 2).map { sound[$0] }
      let roundTrip = try #require(format.roundTrip)
      // Behind the round trip the sine changes by at most 0.5 · 2π · 50 / 48000 from frame to frame.
      let steps = zip(heard.dropFirst(roundTrip + 1), heard.dropFirst(roundTrip + 2)).map {
        abs($0 - $1)
      }
      let jumps = steps.dropLast(1024).count { $0 >= 0.0034 }
      return (
        jumps == 0 && heard.contains { $0 > 0.49 },
        "\(jumps) jumps, \(performance.status!.xruns) xruns"
      )
    }
    #expect(failures.isEmpty)
  }

  @Test("A recording begins and ends while it plays, and holds every frame between")
  func recording() throws {
    let file = Rig.file() + ".wav"
    let orchestra = Self.steady.replacing("a1 init 0.5", with: "a1 phasor 1")
    let performance = Performance(orchestra, "i 1 0 60")
    try performance.play()
    usleep(50_000)
    try performance.record(to: file)
    usleep(200_000)
    let frames = try #require(try performance.finishRecording())
    #expect(try performance.finishRecording() == nil)
    performance.stop()
    let sound = try Sound(readingFrom: file)
    #expect(sound.frameCount == frames && frames >= 4800 && frames % 256 == 0)
    let steps = zip(sound.samples, sound.samples.dropFirst()).map { $1 - $0 }
    #expect(steps.allSatisfy { abs($0 - 1.0 / 48000) < 1e-7 })
  }

  @Test(
    "Another version takes over at its own frame: the same piece goes on as if nothing had been")
  func replaced() throws {
    let file = Rig.file()
    let performance = Performance(
      PlayingTests.piece,
      settings: Settings(device: Rig.device("FILE=\(file)", "WAIT=1"), period: 1024))
    try performance.play()
    usleep(50_000)
    try performance.replace(with: PlayingTests.piece)
    performance.wait()
    let expected = try offline(duet.orchestra, duet.score)
    let difference = zip(try played(file), expected).map { abs(Double($0) - $1) }.max() ?? 1
    // In the crossfade two equal samples are added up.
    #expect(difference < 1e-7, "\(difference)")
    #expect(throws: Failure.self) { try performance.replace(with: PlayingTests.piece) }
  }

  @Test(
    "A piece may end itself, also one beside it in a mixer; all of it ends, and can begin again")
  func exits() throws {
    func piece(_ code: Int) -> Piece {
      let orchestra = Self.steady + "\ninstr 2\nexitnow \(code)\nendin\n"
      return Piece(.orchestra(orchestra, score: "i 1 0 60\ni 2 0.1 1"))
    }
    for code in [0, 3] {
      let ear = Ear()
      let performance = Performance(
        piece(code), settings: Settings(device: .null), listener: ear.listener)
      for _ in 0..<2 {
        try performance.play()
        performance.wait()
      }
      let (ending, failure) = try #require(ear.ending)
      #expect(ending == .finished && (failure == nil) == (code == 0))
      #expect(ear.notices.count { if case .ended = $0 { true } else { false } } == 2)
    }
    let other = Performance(Self.piece, settings: Settings(device: .null))
    try other.play()
    let mixer = try other.mixer()
    let channel = try mixer.add(piece(3))
    usleep(200_000)
    try mixer.remove(channel)
    other.stop()
    #expect(!other.isPlaying)
  }

  @Test("Messages of Csound come with their kind; NaN is silenced and counted")
  func messages() throws {
    let ear = Ear()
    let file = Rig.file()
    let orchestra = """
      0dbfs = 1
      nchnls = 1
      instr 1
        prints "hello from %d\\n", p1
        a1 init sqrt(-1)
        out a1
      endin
      instr 2
        a1 init 0.5
        out a1
        inone table 1, 99
      endin
      """
    let performance = Performance(
      orchestra, "i 1 0 0.1\ni 2 0 0.1", Settings(device: Rig.device("FILE=\(file)", "SPEED=4")),
      listener: ear.listener)
    try performance.play()
    performance.wait()
    #expect(ear.text.contains("hello from 1"))
    #expect(
      ear.notices.contains { notice in
        if case .message(let message) = notice { message.kind == .error } else { false }
      })
    #expect(try #require(performance.status).notFinite >= 4400)
    #expect(try played(file).allSatisfy { $0.isFinite })
  }
}
