import Testing

@Suite("What the kit tells an opcode", .serialized)
struct ContextTests {
  /// The last sample of every channel.
  func lastSamples(_ orchestra: String, count: Int, fullScale: Int = 1) throws -> [Double] {
    let performance = try perform(
      orchestra, score: "i1 0 0.1", ksmps: 64, channels: count, fullScale: fullScale)
    return performance.channels.compactMap(\.last)
  }

  @Test("Left-out i-time arguments have Csound's defaults")
  func initDefaults() throws {
    let values = try lastSamples(
      """
      instr 1
        i1, i2, i3, i4, i5, i6 TEST_OPTIONS_I 0
        outch 1, upsamp(i1), 2, upsamp(i2), 3, upsamp(i3), 4, upsamp(i4), 5, upsamp(i5), 6, upsamp(i6)
      endin
      """, count: 6)
    #expect(values == [0, 1, 10, 0.5, -1, 127])
  }

  @Test("Given i-time arguments reach the opcode in order")
  func initArguments() throws {
    let values = try lastSamples(
      """
      instr 1
        i1, i2, i3, i4, i5, i6 TEST_OPTIONS_I 0, 2, 3, 4, 5, 6, 7
        outch 1, upsamp(i1), 2, upsamp(i2), 3, upsamp(i3), 4, upsamp(i4), 5, upsamp(i5), 6, upsamp(i6)
      endin
      """, count: 6)
    #expect(values == [2, 3, 4, 5, 6, 7])
  }

  @Test("Left-out k-rate arguments have Csound's defaults")
  func controlDefaults() throws {
    let values = try lastSamples(
      """
      instr 1
        k1, k2, k3, k4 TEST_OPTIONS_K 0
        outch 1, upsamp(k1), 2, upsamp(k2), 3, upsamp(k3), 4, upsamp(k4)
      endin
      """, count: 4)
    #expect(values == [0, 1, 0.5, -1])
  }

  @Test("The context has the engine's rates, full scale and tuning")
  func context() throws {
    let values = try lastSamples(
      """
      A4 = 432
      instr 1
        k1, k2, k3, k4, k5 TEST_CONTEXT
        outch 1, upsamp(k1), 2, upsamp(k2), 3, upsamp(k3), 4, upsamp(k4), 5, upsamp(k5)
      endin
      """, count: 5, fullScale: 32_768)
    #expect(values == [48_000, 750, 64, 32_768, 432])
  }

  @Test("In a UDO with its own ksmps the context has the local rates")
  func localContext() throws {
    let values = try lastSamples(
      """
      opcode Local, kkk, 0
        setksmps 16
        k1, k2, k3, k4, k5 TEST_CONTEXT
        xout k1, k2, k3
      endop
      instr 1
        k1, k2, k3 Local
        outch 1, upsamp(k1), 2, upsamp(k2), 3, upsamp(k3)
      endin
      """, count: 3)
    #expect(values == [48_000, 3000, 16])
  }
}
