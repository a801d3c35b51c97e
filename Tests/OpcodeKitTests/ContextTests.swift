import Testing

@Suite("What the kit tells an opcode", .serialized)
struct ContextTests {
  @Test(
    "Left-out arguments have Csound's defaults, given ones reach the opcode in order",
    arguments: [
      ("i1, i2, i3, i4, i5, i6 TEST_OPTIONS_I 0", [0, 1, 10, 0.5, -1, 127]),
      ("i1, i2, i3, i4, i5, i6 TEST_OPTIONS_I 0, 2, 3, 4, 5, 6, 7", [2, 3, 4, 5, 6, 7]),
      ("k1, k2, k3, k4 TEST_OPTIONS_K 0", [0, 1, 0.5, -1]),
    ])
  func arguments(call: String, values: [Double]) throws {
    let heard = (1...values.count).map { "upsamp(\(call.prefix(1))\($0))" }
    let performance = try performNote(
      call, heard: heard.joined(separator: ", "), note: "0.1", ksmps: 64)
    #expect(performance.channels.compactMap(\.last) == values)
  }

  @Test("The context has the engine's rates, full scale and tuning")
  func context() throws {
    let performance = try perform(
      """
      A4 = 432
      instr 1
        k1, k2, k3, k4, k5 TEST_CONTEXT
        outc upsamp(k1), upsamp(k2), upsamp(k3), upsamp(k4), upsamp(k5)
      endin
      """, score: "i1 0 0.1", ksmps: 64, channels: 5, fullScale: 32_768)
    #expect(performance.channels.compactMap(\.last) == [48_000, 750, 64, 32_768, 432])
  }

  @Test("In a UDO with its own ksmps the context has the local rates")
  func localContext() throws {
    let performance = try performNote(
      "k1, k2, k3 Local", heard: "upsamp(k1), upsamp(k2), upsamp(k3)", note: "0.1",
      header: """
        opcode Local, kkk, 0
          setksmps 16
          k1, k2, k3, k4, k5 TEST_CONTEXT
          xout k1, k2, k3
        endop
        """, ksmps: 64)
    #expect(performance.channels.compactMap(\.last) == [48_000, 3000, 16])
  }
}
