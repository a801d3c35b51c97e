// With these functions the compiler proves both sides of the ring free of allocation and locks. Nothing calls these
// functions: the audio loop uses the ring's own ones, inlined.

@c(csound_live_ring_write) @_noLocks @_noAllocation
func provenWrite(
  _ writer: UnsafeMutableRawPointer, _ source: UnsafeRawPointer, _ bytes: Int
) -> Bool {
  writer.assumingMemoryBound(to: RingWriter.self).pointee.write(source, bytes)
}

@c(csound_live_ring_read) @_noLocks @_noAllocation
func provenRead(
  _ reader: UnsafeMutableRawPointer, _ target: UnsafeMutableRawPointer, _ bytes: Int
) -> Bool {
  reader.assumingMemoryBound(to: RingReader.self).pointee.read(target, bytes)
}
