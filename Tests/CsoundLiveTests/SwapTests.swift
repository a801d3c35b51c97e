@testable import CsoundLive
import CCsound
import Foundation
import HarnessBase
import Synchronization
import TestOpcodes
import TestSupport
import Testing

@Suite("An opcode changes while it sounds")
struct SwapTests {
  /// Notes that begin and end at any time; ECHOES writes where it reads, and the second time once for each sample.
  static let notes = """
    opcode Each, a, ak
      setksmps 1
      a1, k1 xin
      a1 ECHOES a1, k1
      xout a1
    endop
    instr 1
      a1 poscil 0.1, p4
      a2 rand 0.02, 0.5
      a1 += a2
      a3 DRIFT a1
      k1 STEPS 1
      k2 TALLY
      i1 ONCE
      a1 ECHOES a1, 0.8
      a4 Each a1, 0.5
      out (a1 + a3 + a4) * i1
    endin
    """
  static let score = (0..<6).map { "i 1 \(0.03 * Double($0)) 0.5 \(110 * ($0 + 1))\n" }.joined()

  @Test(
    "The same code takes over without a trace, to the last bit", arguments: [1, 7, 64, 1024])
  func silent(ksmps: Int) throws {
    let unswapped = try SwapRun(Self.notes, Self.score, ksmps: ksmps)
    let offers = [(3000, OpcodeCode.same), (9000, .first), (15_000, .same), (21_000, .first)]
    let run = try SwapRun(Self.notes, Self.score, ksmps: ksmps, offers)
    #expect(unswapped.samples.max()! > 0.1)
    let isSame = run.samples == unswapped.samples
    #expect(isSame)
    #expect(run.counts.taken == 4 && run.counts.kept >= 40 && run.counts.renewed == 0)
    #expect(run.counts.overruns == 0)
  }

  static let tone = """
    instr 1
      a1 poscil 0.5, 200
      a1 ECHOES a1, 1
      out a1
    endin
    """

  @Test("Other code is heard after the crossfade, exactly", arguments: [1, 7, 64, 1024])
  func heard(ksmps: Int) throws {
    let unswapped = try SwapRun(Self.tone, "i 1 0 1", ksmps: ksmps)
    let run = try SwapRun(Self.tone, "i 1 0 1", ksmps: ksmps, [(20_000, .softer)])
    let (old, new) = (unswapped.samples, run.samples)
    let change = try #require(new.indices.first { new[$0] != old[$0] })
    #expect((20_000..<20_000 + 2 * ksmps + 100).contains(change))
    let after = change + 720 + ksmps..<old.count
    #expect(after.allSatisfy { abs(new[$0] - 0.5 * old[$0]) < 1e-12 })
    #expect(run.counts.kept == 1 && run.counts.overruns == 0)
  }

  @Test(
    "No step is larger than the sound's own and what the crossfade adds",
    arguments: [1, 7, 64, 1024], [OpcodeCode.softer, .wider].indices)
  func steps(ksmps: Int, which: Int) throws {
    let instruments = """
      instr 1
        a1 poscil 0.5, 50
        a1 DRIFT a1
        out a1
      endin
      """
    let code = [OpcodeCode.softer, .wider][which]
    let unswapped = try SwapRun(instruments, "i 1 0 1", ksmps: ksmps)
    let run = try SwapRun(instruments, "i 1 0 1", ksmps: ksmps, [(20_000, code)])
    let around = 19_000..<24_000
    let isSame = run.samples == unswapped.samples
    #expect(!isSame)
    let allowed = max(unswapped.step(around), run.step(26_000..<40_000)) + 2 * 0.5 / 720
    #expect(run.step(around) <= allowed)
    // At once it would be a step of 0.1 or more.
    #expect(allowed < 0.01)
    #expect(run.samples.count == unswapped.samples.count && run.counts.overruns == 0)
  }

  @Test("State that only looks the same is set up anew; carried over by mistake it would be heard")
  func layouts() throws {
    let turned = try SwapRun(Self.drift, "i 1 0 0.5", [(9600, .wider)])
    #expect(turned.counts.renewed == 1 && turned.counts.kept == 0)
    // 5000 samples after it began, with a quarter turned.
    let expected = 0.5 * (0.75 - 0.00001 * 5000)
    #expect(abs(turned.samples[14_600] - expected) < 0.005)
    let mistaken = try SwapRun(
      Self.drift, "i 1 0 0.5", [(9600, OpcodeCode.wider.mistaken(for: .first))])
    #expect(mistaken.counts.kept == 1)
    #expect(abs(mistaken.samples[14_600] - expected) > 0.02)
  }

  static let drift = """
    instr 1
      a1 init 0.5
      a2 DRIFT a1
      out a2
    endin
    """

  @Test("Fifty versions in a row under many notes: nothing is lost, nothing read after its end")
  func fifty() throws {
    let score = (0..<60).map {
      "i 1 \(0.07 * Double($0)) \(0.02 + 0.013 * Double($0 * 7 % 31)) \(100 + 10 * $0)\n"
    }.joined()
    let codes: [OpcodeCode] = [.same, .wider, .softer, .first]
    let offers = (0..<50).map { (frame: 2000 + 4200 * $0, code: codes[$0 % 4]) }
    let run = try SwapRun(Self.notes, score + "e 4.6", ksmps: 32, offers)
    #expect(run.samples.allSatisfy { $0.isFinite && abs($0) < 20 })
    #expect(run.counts.taken >= 45 && run.counts.kept > 50 && run.counts.renewed > 50)
    #expect(run.counts.overruns == 0)
    // What is not performed any more is freed: the most at any time is what the first notes need, twice.
    #expect(run.bytes.max()! < 2 * run.bytes[..<60].max()! + 40 * 20_000)
    #expect(run.noteErrors.isEmpty, "\(run.noteErrors)")
  }

  @Test("Reinit, tied notes, and notes that end in the middle of a crossfade")
  func lives() throws {
    let instruments = """
      instr 1
        a1 poscil 0.1, 300
        reset:
        a2 ECHOES a1, 1
        k2 TALLY
        timout 0, 0.007, on
        reinit reset
        on:
        rireturn
        out a2
      endin
      instr 2
        a1 poscil 0.1, p4
        a2 ECHOES a1, 1
        k2 TALLY
        out a2
      endin
      """
    let score = """
      i 1 0 0.5
      i 2.1 0 -0.1 400
      i 2.1 0.1005 -0.1 500
      i 2.1 0.2 0.1 600
      i 2 0.3 0.003 700
      i 2 0.305 0.2 700
      """
    for (frame, code) in [
      (4810, OpcodeCode.wider), (4810, .same), (9610, .wider), (14_410, .wider), (14_420, .softer),
    ] {
      let run = try SwapRun(
        instruments, score, ksmps: 16, [(frame, code), (frame + 1200, .first)])
      #expect(run.samples.allSatisfy { $0.isFinite && abs($0) < 2 })
      #expect(run.counts.taken == 2 && run.counts.overruns == 0)
      #expect(run.noteErrors.isEmpty, "\(run.noteErrors)")
    }
  }

  @Test("Every state has its deinit pass once, whatever version it began with")
  func deinits() throws {
    let instruments = """
      instr 1
        k1 TALLY
      endin
      instr 2
        k1 TALLY
        a1 interp k1
        out a1
      endin
      """
    let score = (0..<20).map { "i 1 \(0.011 * Double($0)) 0.1\n" }.joined() + "i 2 1 0.1"
    let offers = (0..<20).map {
      (frame: 1000 + 700 * $0, code: [OpcodeCode.wider, .same, .first][$0 % 3])
    }
    let run = try SwapRun(instruments, score, ksmps: 16, offers)
    #expect(run.counts.kept > 0 && run.counts.renewed > 0)
    // At the end only the note that counts has one.
    #expect(run.samples.last == 1)
  }

  @Test("Control outputs go over at once: with their state, or from the beginning")
  func control() throws {
    let instruments = """
      instr 1
        k1 STEPS 1
        a1 = k1
        out a1
      endin
      """
    func value(_ code: OpcodeCode) throws -> Double {
      let run = try SwapRun(instruments, "i 1 0 0.1", ksmps: 48, [(2400, code)])
      return try #require(run.samples.last)
    }
    #expect(try value(.same) == 100)
    #expect(try value(.softer) == 0)
    #expect(try value(.wider) == 50)
  }

  @Test("An init pass that fails leaves the note with the version before; notes to come are told")
  func refusal() throws {
    let unswapped = try SwapRun(Self.tone, "i 1 0 0.3")
    let run = try SwapRun(Self.tone, "i 1 0 0.3\ni 1 0.2 0.1", [(4800, .failing)])
    #expect(run.counts.refused == 1)
    let isSame = run.samples[..<9000] == unswapped.samples[..<9000]
    #expect(isSame)
    #expect(run.messages.contains { $0.contains("ECHOES: will not begin.") })
    #expect(run.messages.contains { $0.contains("This note plays on with the version before.") })
    #expect(run.noteErrors.count >= 1)
  }

  @Test("At init time the new code is called by the next note")
  func initTime() throws {
    let instruments = """
      instr 1
        i1 ONCE
        a1 init i1
        out a1
      endin
      """
    let run = try SwapRun(instruments, "i 1 0 0.1\ni 1 0.1 0.1", [(2400, .softer)])
    #expect(run.samples[4000] == 1 && run.samples[6000] == 2)
  }

  @Test("What is new, gone or called in another way is said, and the notes stay as they are")
  func signatures() throws {
    let unswapped = try SwapRun(Self.tone, "i 1 0 0.2")
    let run = try SwapRun(Self.tone, "i 1 0 0.2", [(4800, OpcodeCode(OtherVersion.self))])
    #expect(
      run.messages.first == "ONCEMORE is new, ONCE is gone, STEPS is called in another way")
    let isSame = run.samples == unswapped.samples
    #expect(isSame && run.counts.taken == 0)
  }

  @Test("Versions are offered by one thread while others perform", arguments: [[], ["-j2"]])
  func threads(options: [String]) throws {
    let instruments =
      Self.notes.replacing("out (a1 + a3 + a4) * i1", with: "gasum += (a1 + a3 + a4) * i1") + """

        gasum init 0
        gkpeak init 0
        instr 2
          kpeak peak gasum
          gkpeak = kpeak
          chnset gkpeak, "peak"
          gasum = 0
        endin
        """
    let score = Self.score + "i 2 0 1.2\n"
    func peak(_ codes: [OpcodeCode]) throws -> (Double, OpcodeSwap.Counts) {
      let (csound, swap, path) = try SwapRun.engine(instruments, score, ksmps: 64, options)
      defer { unlink(path) }
      let isOver = Atomic(false)
      let (begun, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      Thread {
        begun.signal()
        var turn = 0
        while !codes.isEmpty, !isOver.load(ordering: .relaxed) {
          _ = swap.offer(codes[turn % codes.count])
          turn += 1
          usleep(500)
        }
        ended.signal()
      }.start()
      begun.wait()
      // As slow as a device, or there would be nothing beside it.
      csoundRegisterSenseEventCallback(csound.engine, { _, _ in usleep(20) }, nil)
      while csound.performKsmps() {}
      isOver.store(true, ordering: .relaxed)
      ended.wait()
      return (csoundGetControlChannel(csound.engine, "peak", nil), swap.counts)
    }
    let (untouched, _) = try peak([])
    let (same, counts) = try peak([.same, .first])
    // Threads add up notes in the order in which they come, and a sum depends on that in its last digits.
    #expect(untouched > 0.1 && abs(same - untouched) <= (options.isEmpty ? 0 : 1e-12))
    #expect(counts.kept > 0 && counts.renewed == 0)
    let (other, _) = try peak([.wider, .first, .softer])
    #expect(other.isFinite && other > 0.01 && other < 20)
  }

  @Test("On a device, through a new version of the piece too, the same code is not heard")
  func device() throws {
    let (path, file) = (Rig.file() + ".csd", Rig.file())
    defer { for name in [path, file] { unlink(name) } }
    try SwapRun.csd(Self.notes, Self.score + "i 1 0.6 1 300").save(to: path)
    let untouched = try SwapRun(Self.notes, Self.score + "i 1 0.6 1 300")
    let swap = OpcodeSwap(.first)
    let piece = Piece(.file(path), ksmps: 64, registering: { swap.register(in: $0) })
    let performance = Performance(
      piece, settings: Settings(device: Rig.device("FILE=\(file)", "WAIT=1"), period: 512))
    try performance.play()
    for turn in 0..<6 {
      #expect(swap.offer(turn % 2 == 0 ? .same : .first) == nil)
      swap.wait()
      if turn == 2 { try performance.replace(with: piece) }
    }
    performance.wait()
    let heard = try played(file).prefix(untouched.samples.count)
    let isExact = zip(heard, untouched.samples).allSatisfy { abs($0 - Float($1)) < 1e-6 }
    #expect(isExact && heard.count == untouched.samples.count)
    #expect(swap.counts.taken >= 6 && swap.counts.kept > 0 && swap.counts.renewed == 0)
  }
}

extension OpcodeCode {
  /// A copy whose states claim the layouts of `other`, to simulate a mistake in comparing layouts.
  fileprivate func mistaken(for other: OpcodeCode) -> OpcodeCode {
    var code = self
    for (signature, passes) in passes {
      code.passes[signature]!.layout = other.passes[signature]?.layout ?? passes.layout
    }
    return code
  }
}
