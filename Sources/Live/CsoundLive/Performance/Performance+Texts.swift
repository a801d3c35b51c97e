import CCsound
public import HarnessBase

extension Performance {
  /// The text of a string channel; nil if the channel does not exist or is of another type. Csound has a lock for each
  /// channel, which is held while the text is copied.
  public func string(of channel: String) throws(Failure) -> String? {
    try live().withEngine { $0.string(of: channel) }
  }
}

extension LiveEngine {
  func string(of channel: String) -> String? {
    let engine = csound.engine
    // Only for a channel that exists, as `csoundGetChannelPtr` would create it.
    let size = csoundGetChannelDatasize(engine, channel)
    guard size > 0 else { return nil }
    var place: UnsafeMutablePointer<Double>?
    let kind = CSOUND_STRING_CHANNEL.rawValue
    guard ccs_channel(engine, &place, channel, Int32(kind)) == 0, let place else { return nil }
    // The orchestra may change the text meanwhile, so it is copied with the channel's lock.
    ccs_lock_channel(engine, channel)
    defer { ccs_unlock_channel(engine, channel) }
    let text = UnsafeRawPointer(place).assumingMemoryBound(to: STRINGDAT.self).pointee
    return text.data.map { String(cString: $0) }
  }
}
