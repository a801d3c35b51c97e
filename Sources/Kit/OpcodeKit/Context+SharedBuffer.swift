import CCsound

extension Context {
  /// A buffer shared under a name by everything in one Csound engine; zeroed when it is new [init pass].
  ///
  /// It lives until the engine is reset. Begin the name with your library's name to avoid collisions. Write it in init
  /// passes only; any pass may read it.
  ///
  /// Throws when `count` is below 1, when the memory is larger than 4 GB, or when the name is in use for memory of
  /// another size.
  ///
  /// The corresponding C functions are `CreateGlobalVariable` and `QueryGlobalVariable`.
  public func sharedBuffer<Element: BitwiseCopyable>(
    of type: Element.Type = Double.self, count: Int, named name: StaticString
  ) throws(OpcodeError) -> Buffer<Element> {
    let (bytes, overflow) = count.multipliedReportingOverflow(by: MemoryLayout<Element>.stride)
    guard count > 0, !overflow, UInt64(bytes) <= 1 << 32 else {
      throw OpcodeError(
        argument: "shared buffer size", is: Double(count),
        mustBe: "at least 1 and at most 4 GB in all")
    }
    guard MemoryLayout<Element>.alignment <= 16,
      let memory = ccs_shared(csound, name.cString, ("" as StaticString).cString, bytes)
    else { throw OpcodeError("the shared name stands for memory of another size.") }
    return Buffer(start: memory.assumingMemoryBound(to: Element.self), count: count)
  }
}

extension Buffer {
  /// A part of the buffer, `count` elements from `index` on. It shares the buffer's memory. Checked in debug builds
  /// only.
  @inlinable public func part(from index: Int, count: Int) -> Buffer {
    Checks.indices(index, count, below: self.count, "a Buffer's elements")
    return Buffer(start: start + index, count: count)
  }
}

extension Buffer<Pair> {
  /// The numbers from the pair at index `pair` on, read as a function table of `count` elements and a guard point.
  /// Checked in debug builds only.
  @inlinable public func table(at pair: Int, count: Int) -> TableElements {
    // As many pairs as the elements and the guard point need.
    Checks.indices(
      pair, count < 0 ? count : count &>> 1 &+ 1, below: self.count, "a Buffer's elements")
    return TableElements(
      elements: UnsafeRawPointer(start + pair).assumingMemoryBound(to: Double.self), count: count)
  }
}
