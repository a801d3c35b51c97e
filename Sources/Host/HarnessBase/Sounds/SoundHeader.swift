import Foundation

/// The length in the header of a WAV or AIFF file. It shows that a file is truncated, which
/// libsndfile does not report.
struct SoundHeader {
  /// The number of bytes of sample data that are missing; nil if none are.
  let missingBytes: Int?

  /// Nil for other files, and for a file whose header has no length of the sample data.
  init?(_ path: String) {
    guard let file = FileHandle(forReadingAtPath: path),
      let size = try? file.seekToEnd(), (try? file.seek(toOffset: 0)) != nil,
      let head = try? file.read(upToCount: 12), head.count == 12
    else { return nil }
    let isWAV = head.prefix(4) == Data("RIFF".utf8) && head.suffix(4) == Data("WAVE".utf8)
    guard isWAV || head.prefix(4) == Data("FORM".utf8) && head.suffix(4).starts(with: "AIF".utf8)
    else { return nil }
    var position: UInt64 = 12
    // A chunk is a name of 4 bytes, a length of 4 bytes, and that many bytes, padded to an even
    // number.
    while (try? file.seek(toOffset: position)) != nil,
      let chunk = try? file.read(upToCount: 8), chunk.count == 8
    {
      // WAV is little-endian, AIFF big-endian.
      let bytes = isWAV ? Array(chunk.suffix(4).reversed()) : Array(chunk.suffix(4))
      let length = bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      if chunk.prefix(4) == Data((isWAV ? "data" : "SSND").utf8) {
        // In a stream the length is 0 or the largest number.
        guard length > 0, length < 0xFFFF_F000 else { return nil }
        let end = position + 8 + length
        missingBytes = end > size ? Int(end - size) : nil
        return
      }
      position += 8 + length + length % 2
    }
    return nil
  }
}
