import CCsound

extension Context {
  /// Memory that everything in one Csound engine shares under a name; zeros when new [init pass].
  ///
  /// It lives until the engine is reset. Begin the name with your library's. What is written in init
  /// passes can be read in any pass. Throws when the name is in use for memory of another size. The
  /// corresponding C functions are `CreateGlobalVariable` and `QueryGlobalVariable`.
  public func sharedBuffer<Element: BitwiseCopyable>(
    of type: Element.Type = Double.self, count: Int, named name: StaticString
  ) throws(OpcodeError) -> Buffer<Element> {
    let bytes = count * MemoryLayout<Element>.stride
    guard count > 0, MemoryLayout<Element>.alignment <= 16,
      let memory = ccs_shared(csound, name.cString, ("" as StaticString).cString, bytes)
    else { throw OpcodeError("the shared name stands for memory of another size.") }
    return Buffer(start: memory.assumingMemoryBound(to: Element.self), count: count)
  }
}

extension Buffer {
  /// A part of the buffer, as long as the buffer lives.
  @inlinable public func part(from index: Int, count: Int) -> Buffer {
    Checks.index(index, below: self.count &- count &+ 1, "a Buffer's elements")
    return Buffer(start: start + index, count: count)
  }
}

extension Buffer<Pair> {
  /// A part read as a function table of `count` elements and a guard point, from a pair on.
  @inlinable public func table(at pair: Int, count: Int) -> TableElements {
    Checks.index(pair &+ count &>> 1, below: self.count, "a Buffer's elements")
    return TableElements(
      elements: UnsafeRawPointer(start + pair).assumingMemoryBound(to: Double.self), count: count)
  }
}
