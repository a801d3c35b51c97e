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
    if result >= 0 { result = Vouched.start(capture.pcm) }
    if result >= 0, let playback { result = Vouched.start(playback.pcm) }
    return result < 0 ? result : nil
  }

  @inline(__always) private func silence(_ stream: Stream) {
    var index = 0
    while index < stream.period &* stream.channels {
      memory.mix[index] = 0
      index &+= 1
    }
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
          last = Vouched.now()
          continue
        }
      } else if room == 0 {
        if Vouched.isPrepared(playback.pcm) { result = Vouched.start(playback.pcm) }
        if result >= 0 { result = wait(playback, since: last) }
      }
      if let error = recover(result) { return error }
    }
    status.pointee.frames.wrappingAdd(period, ordering: .releasing)
    return nil
  }

  /// Waits for a device that last made progress at the time `last`. Returns an error after two seconds without
  /// progress, as a device that wrongly reports that it is ready would otherwise keep the loop waiting for ever.
  @inline(__always) private func wait(_ stream: Stream, since last: Int) -> Int {
    Vouched.now() &- last > 2_000_000_000 ? -Int(ETIMEDOUT) : Vouched.wait(stream)
  }

  /// Restarts the devices after an xrun or a suspend. Returns nil if playing can go on, otherwise a negative errno.
  @inline(__always) private mutating func recover(_ result: Int) -> Int? {
    if result >= 0 || result == -Int(EAGAIN) { return nil }
    guard result == -Int(EPIPE) || result == -Int(ESTRPIPE) else { return result }
    // A device that resumes goes on with what it had: nothing is lost.
    if result == -Int(ESTRPIPE), capture == nil, let playback, resume(playback) { return nil }
    status.pointee.xruns.wrappingAdd(1, ordering: .relaxed)
    guard capture != nil else {
      guard let playback else { return result }
      let recovered = Vouched.recover(playback.pcm, result)
      return recovered < 0 ? recovered : nil
    }
    if let capture { Vouched.drop(capture.pcm) }
    if let playback { Vouched.drop(playback.pcm) }
    return startDevices()
  }

  /// Whether a suspended device goes on where it was.
  @inline(__always) private func resume(_ stream: Stream) -> Bool {
    var result = Vouched.resume(stream.pcm)
    while result == -Int(EAGAIN) {
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
