import CCsound
public import HarnessBase

extension Performance {
  /// The text of a string channel; nil while nobody has declared it, or where it is of another type. Csound has
  /// its own lock for each.
  public func string(of channel: String) throws(Failure) -> String? {
    try live().withEngine { $0.string(of: channel) }
  }
}

extension LiveEngine {
  func string(of channel: String) -> String? {
    let engine = csound.engine
    // Asked for only where it is there, since asking makes it.
    let size = csoundGetChannelDatasize(engine, channel)
    guard size > 0 else { return nil }
    var place: UnsafeMutablePointer<Double>?
    let kind = CSOUND_STRING_CHANNEL.rawValue
    guard csoundGetChannelPtr(engine, &place, channel, Int32(kind)) == 0, let place else {
      return nil
    }
    // It may grow meanwhile; what is cut off is there the next time.
    guard let lock = csoundGetChannelLock(engine, channel) else { return nil }
    csoundSpinLock(lock)
    defer { csoundSpinUnLock(lock) }
    let text = UnsafeRawPointer(place).assumingMemoryBound(to: STRINGDAT.self).pointee
    return text.data.map { String(cString: $0) }
  }
}
