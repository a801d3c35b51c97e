import CCsound

extension Noise {
  /// A generator that the orchestra's `seed` determines, as it determines Csound's own random opcodes [init pass]. Each
  /// call in an engine begins other noise; the same orchestra with the same seed repeats all of it, and after `seed 0`
  /// every run differs.
  ///
  /// The corresponding C function is `GetRandSeed`.
  public init(_ context: Context) throws(OpcodeError) {
    let count = try context.shared(Int64.self, named: "OpcodeKit.noises").add(1)
    let seed = UInt32(bitPattern: context.csound.pointee.GetRandSeed(context.csound, 2))
    self.init(seed: UInt64(seed) << 32 ^ UInt64(bitPattern: count))
  }
}
