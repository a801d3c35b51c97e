import Testing

/// Expects of a lowpass filter's overload what every filter must do: two at once, in place, begun again
/// by reinit and in recycled memory, gone on with, inside a k-cycle, after a NaN and after a sound.
///
/// `arguments` follow the input; the note before is gone on with when `skip` follows them, nil if the opcode cannot.
/// `before` are output variables ahead of the one that is heard, with a comma, and `after` those behind. `quality` is
/// the argument behind the one that skips. `passesNaN` is whether NaN in the input is heard in its k-cycle; otherwise
/// it counts as 0.
func expectFilter(
  _ name: String, _ arguments: String, skip: String? = ", 0, 1, 1", before: String = "",
  after: String = "", quality: Int? = nil, passesNaN: Bool = true, ksmps: Int
) throws {
  func call(_ output: String, _ input: String, _ more: String = "") -> String {
    let last = quality.map { "\(more.isEmpty && skip != nil ? ", 0" : ""), \($0)" } ?? ""
    return "\(before) \(output)\(after) \(name) \(input), \(arguments)\(more)\(last)"
  }

  let instances = """
    instr 1
      asignal rand 1, 0.3 / p4, 1
      \(call("afiltered", "asignal"))
      outch p4, afiltered
    endin
    """
  let both = try perform(
    instances, score: "i1 0 0.05 1\ni1 0.01 0.04 2", ksmps: ksmps, channels: 2)
  let first = try perform(instances, score: "i1 0 0.05 1", ksmps: ksmps, channels: 2)
  let second = try perform(instances, score: "i1 0.01 0.04 2", ksmps: ksmps, channels: 2)
  let isApart = both[0] == first[0] && both[1] == second[1]
  #expect(isApart && both.allSatisfy { $0.contains { abs($0) > 0.01 } })

  let inPlace = try perform(
    """
    instr 1
      asignal rand 1, 0.3, 1
      \(call("a1", "asignal"))
      \(call("asignal", "asignal"))
      outch 1, a1, 2, asignal
    endin
    """, score: "i1 0 0.02", ksmps: ksmps, channels: 2)
  let isInPlace = inPlace[0] == inPlace[1]
  #expect(isInPlace)

  // A note of a constant that is begun again in the cycle of frame 448, and one after it.
  let again = try perform(
    """
    instr 1
      kcycle timeinstk
      if kcycle == 1 + 448 / ksmps then
        reinit again
      endif
      again:
      \(call("afiltered", "upsamp(k(1))"))
      rireturn
      outch 1, afiltered
    endin
    """, score: "i1 0 [896/48000]\ni1 [1344/48000] [448/48000]\nf0 0.04", ksmps: ksmps)[0]
  let isAgain = again[448..<896] == again[..<448] && again[1344..<1792] == again[..<448]
  #expect(isAgain && again[10] != 0 && again[447] != again[0])

  if let skip {
    // In used memory and with the skip argument it goes on where the note before ended.
    let goingOn = """
      instr 1
        \(call("afiltered", "upsamp(k(1))", skip))
        outch 1, afiltered
      endin
      """
    let parts = try perform(
      goingOn, score: "i1 0 [448/48000]\ni1 [896/48000] [448/48000]\nf0 0.04", ksmps: ksmps)[0]
    let whole = try perform(goingOn, score: "i1 0 [896/48000]\nf0 0.04", ksmps: ksmps)[0]
    let isContinued = parts[..<448] == whole[..<448] && parts[896..<1344] == whole[448..<896]
    #expect(isContinued && whole[447] != 0 && whole[448..<896] != whole[..<448])
  }

  let accurate = try performAccurately(
    """
    aone linseg 1, 1, 1
    \(call("gasignal", "aone"))
    """, start: 15, length: 130)
  #expect(accurate.isSilentOutside)
  for note in accurate.notes {
    #expect(note.count > 100)
    // One frame of rounding lies between the ways of computing a cycle: a constant of 1 makes the state of
    // BUTTERHP some 12,000, whose last place is 1.8e-12.
    #expect(largestDifference(note, again.prefix(note.count)) < 2e-12)
  }

  let recovery = try perform(
    """
    instr 1
      kcycle timeinstk
      kminus init -1
      kbad = (kcycle == 2 ? log(kminus) : (kcycle == 4 ? -log(0 * kminus) : 0))
      aburst linseg 1, 0.02, 1, 0, 0, 1, 0
      anoise rand 1, 0.3, 1
      \(call("afiltered", "anoise * aburst + upsamp(kbad)"))
      outch 1, afiltered
    endin
    """, score: "i1 0 4", ksmps: ksmps)[0]
  let bad = recovery.indices.filter { !recovery[$0].isFinite }
  #expect(bad.isEmpty != passesNaN && bad.allSatisfy { $0 / ksmps == 1 || $0 / ksmps == 3 })
  #expect(recovery[(5 * ksmps)..<960].contains { abs($0) > 0.01 })
  #expect(recovery.suffix(1000).allSatisfy { $0 == 0 })
  #expect(recovery.allSatisfy { !$0.isSubnormal })
}
