#if hasFeature(Embedded)
  internal import CCsound

  /// What Swift's standard library takes random numbers and the seed of its hash values from. A
  /// plugin has its own, which Sources/Kit/CCsound/plugin.map hides, so that it loads where the C library
  /// has none of this name: before glibc 2.36.
  @c(arc4random_buf)
  public func randomBytes(_ start: UnsafeMutableRawPointer, _ count: Int) {
    ccs_random_bytes(start, count)
  }
#endif
