import Glibc
import Synchronization

extension AudioLoop {
  /// Frames from the input to the output: the silence that the output is filled with before both start. Each engine's
  /// own latency is added to that.
  static func prefill(_ playback: Stream?, _ capture: Stream?) -> Int {
    guard let playback, capture != nil else { return 0 }
    return playback.buffer
  }

  /// Starts the devices that must run before the first period: with an input both, the output filled with silence.
  /// Returns nil, or a negative errno.
  @inline(__always) mutating func startDevices() -> Int? {
    deadline = Vouched.now()
    guard let capture else { return nil }
    var result = Vouched.prepare(capture.pcm)
    if result >= 0, let playback {
      result = Vouched.prepare(playback.pcm)
      var left = playback.buffer
      silence(playback)
      while result >= 0, left > 0 {
        result = Vouched.write(playback.pcm, playback.block, min(left, playback.period))
        left &-= max(0, result)
      }
    }
    moved.since = Vouched.now()
    if result >= 0 { result = Vouched.start(capture.pcm) }
    if result >= 0, let playback { result = Vouched.start(playback.pcm) }
    return result < 0 ? result : nil
  }

  @inline(__always) private func silence(_ stream: Stream) {
    for index in 0..<stream.period &* stream.channels { memory.mix[index] = 0 }
    stream.format.encode(memory.mix, stream.period &* stream.channels, stream.block)
  }

  /// Reads one period into `memory.heard`. Returns 0, or a negative errno.
  @inline(__always) mutating func listen() -> Int {
    guard let capture else { return 0 }
    var (done, last) = (0, Vouched.now())
    while done < period {
      let ready = Vouched.available(capture.pcm)
      var result = ready
      if ready > 0 {
        result = Vouched.read(capture.pcm, capture.block, min(period &- done, capture.period))
        if result > 0 {
          capture.format.decode(
            capture.block, result &* capture.channels, memory.heard + done &* capture.channels)
          done &+= result
          moved.frames &+= result
          last = Vouched.now()
          continue
        }
      } else if ready == 0 {
        result = wait(capture, since: last)
      }
      if let error = recover(result) { return error }
    }
    return 0
  }

  /// When a frame is heard that is written at the time `now`, in nanoseconds of the monotonic clock.
  @inline(__always) func heard(_ now: Int) -> Int {
    // Without a device a period is over when the next is computed.
    var ahead = period
    if let playback {
      let delay = Vouched.delay(playback.pcm)
      ahead = delay < 0 ? playback.buffer : delay
    }
    return now &+ Int(Double(ahead) / sampleRate * 1e9)
  }

  /// Writes the period to the device. Returns nil, or a negative errno.
  @inline(__always) mutating func play() -> Int? {
    guard let playback else {
      status.pointee.frames.wrappingAdd(period, ordering: .releasing)
      if capture == nil { keepTime() }
      return nil
    }
    playback.format.encode(memory.mix, period &* channels, playback.block)
    let size = channels &* playback.format.bytes
    var (done, last) = (0, Vouched.now())
    while done < period {
      let room = Vouched.available(playback.pcm)
      var result = room
      if room > 0 {
        result = Vouched.write(playback.pcm, playback.block + done &* size, period &- done)
        if result > 0 {
          done &+= result
          moved.frames &+= result
          last = Vouched.now()
          continue
        }
      } else if room == 0 {
        if Vouched.isPrepared(playback.pcm) {
          moved.since = Vouched.now()
          result = Vouched.start(playback.pcm)
        }
        if result >= 0 { result = wait(playback, since: last) }
      }
      if let error = recover(result) { return error }
    }
    status.pointee.frames.wrappingAdd(period, ordering: .releasing)
    return nil
  }

  /// Waits for a device that last made progress at the time `last`. Returns an error after two seconds and a period
  /// without progress, as a device that wrongly reports that it is ready would otherwise keep the loop waiting for ever.
  @inline(__always) private func wait(_ stream: Stream, since last: Int) -> Int {
    let most = 2_000 &+ 1000 &* stream.period / stream.sampleRate
    return Vouched.now() &- last > 1_000_000 &* most
      ? -Int(ETIMEDOUT) : Vouched.wait(stream, atMost: most)
  }

  /// Restarts the devices after an xrun or a suspend. Returns nil if playing can go on, otherwise a negative errno.
  @inline(__always) private mutating func recover(_ result: Int) -> Int? {
    if result >= 0 || result == -Int(EAGAIN) { return nil }
    guard result == -Int(EPIPE) || result == -Int(ESTRPIPE) else { return result }
    // A device that resumes goes on with what it had: nothing is lost.
    if result == -Int(ESTRPIPE), capture == nil, let playback, resume(playback) { return nil }
    status.pointee.xruns.wrappingAdd(1, ordering: .relaxed)
    guard isWorthAnotherStart() else { return result }
    guard capture != nil else {
      guard let playback else { return result }
      let prepared = Vouched.prepare(playback.pcm)
      return prepared < 0 ? prepared : nil
    }
    if let capture { Vouched.drop(capture.pcm) }
    if let playback { Vouched.drop(playback.pcm) }
    return startDevices()
  }

  /// Whether the devices may play if they are started again. Without their sound server some fail as soon as they are
  /// started, for ever: after half a second of that it is false.
  @inline(__always) private mutating func isWorthAnotherStart() -> Bool {
    let now = Vouched.now()
    let buffer = playback?.buffer ?? 0
    // An output without an input is filled before it starts.
    let hasPlayed =
      moved.frames > (capture == nil ? buffer : 0)
      || Double(now &- moved.since) * sampleRate > 0.5e9 * Double(buffer)
    if hasPlayed {
      failing = 0
    } else if failing == 0 {
      failing = now
    } else {
      Vouched.sleep(until: now &+ 10_000_000)
    }
    moved = (0, Vouched.now())
    return failing == 0 || now &- failing < 500_000_000
  }

  /// Waits until the device has played its buffer, at most a second longer than it lasts.
  @inline(__always) func drain(_ playback: Stream) {
    let end = Vouched.now() &+ Int(1e9 * (1 + Double(playback.buffer) / sampleRate))
    while Vouched.drain(playback.pcm) == -Int(EAGAIN), Vouched.now() < end {
      Vouched.sleep(until: Vouched.now() &+ 2_000_000)
    }
  }

  /// Whether a suspended device goes on where it was.
  @inline(__always) private func resume(_ stream: Stream) -> Bool {
    let end = Vouched.now() &+ 2_000_000_000
    var result = Vouched.resume(stream.pcm)
    while result == -Int(EAGAIN), Vouched.now() < end {
      Vouched.sleep(until: Vouched.now() &+ 1_000_000)
      result = Vouched.resume(stream.pcm)
    }
    return result >= 0
  }

  /// Without any device: sleeps until the next period. If the loop is more than a second late, its clock is reset.
  @inline(__always) private mutating func keepTime() {
    deadline &+= Int(Double(period) / sampleRate * 1e9)
    let late = Vouched.now() &- deadline
    if late > 1_000_000_000 {
      status.pointee.xruns.wrappingAdd(1, ordering: .relaxed)
      deadline = deadline &+ late
    } else if late < 0 {
      Vouched.sleep(until: deadline)
    }
  }
}
