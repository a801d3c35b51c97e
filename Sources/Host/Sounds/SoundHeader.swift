import Foundation

/// How long a WAV or AIFF file says that it is: libsndfile reads a shorter one without a word.
struct SoundHeader {
  /// How many bytes of the samples are not there; nil where none are missing.
  let missingBytes: Int?

  /// Nil for other files, and for one that does not say how long its samples are.
  init?(_ path: String) {
    guard let file = FileHandle(forReadingAtPath: path),
      let size = try? file.seekToEnd(), (try? file.seek(toOffset: 0)) != nil,
      let head = try? file.read(upToCount: 12), head.count == 12
    else { return nil }
    let isWAV = head.prefix(4) == Data("RIFF".utf8) && head.suffix(4) == Data("WAVE".utf8)
    guard isWAV || head.prefix(4) == Data("FORM".utf8) && head.suffix(4).starts(with: "AIF".utf8)
    else { return nil }
    var position: UInt64 = 12
    // Chunks: a name of four bytes, a length of four, as many bytes, filled up to an even number.
    while (try? file.seek(toOffset: position)) != nil,
      let chunk = try? file.read(upToCount: 8), chunk.count == 8
    {
      // WAV has the lowest byte first.
      let bytes = isWAV ? Array(chunk.suffix(4).reversed()) : Array(chunk.suffix(4))
      let length = bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      if chunk.prefix(4) == Data((isWAV ? "data" : "SSND").utf8) {
        // Streams are written with no length, or the largest.
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
