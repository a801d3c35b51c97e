#if hasFeature(Embedded)
  internal import CCsound

  /// The function from which Swift's standard library takes random numbers and the seed of its hash values. The plugin
  /// has its own version, because C libraries before glibc 2.36 lack the function. Sources/Kit/CCsound/plugin.map hides
  /// it from other libraries.
  ///
  /// - Parameter count: not as Int, because an Int of a C function has C's `long`, which on Windows has 32 bits.
  @c(arc4random_buf)
  public func randomBytes(_ start: UnsafeMutableRawPointer, _ count: RandomByteCount) {
    ccs_random_bytes(start, Int(count))
  }

  /// A number of C's type `size_t`.
  #if _pointerBitWidth(_32)
    public typealias RandomByteCount = Int32
  #else
    public typealias RandomByteCount = Int64
  #endif
#endif
