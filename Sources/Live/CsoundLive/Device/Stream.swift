import CALSA
import HarnessBase

/// One direction of an open device, as the audio thread needs it.
struct Stream: BitwiseCopyable {
  let pcm: OpaquePointer
  let format: SampleFormat
  let channels: Int
  let sampleRate: Int
  /// Frames between two interrupts, and frames in the whole buffer.
  let period: Int
  let buffer: Int
  /// Room for one period in the device's format.
  let block: UnsafeMutableRawPointer
  /// Room for the device's poll descriptors.
  let descriptors: UnsafeMutablePointer<pollfd>
  let descriptorCount: Int32

  enum Direction {
    case playback, capture

    fileprivate var code: snd_pcm_stream_t {
      self == .playback ? SND_PCM_STREAM_PLAYBACK : SND_PCM_STREAM_CAPTURE
    }
  }

  /// The settings that a device is asked for.
  struct Wish {
    var sampleRate: Int
    /// Whether the device must have exactly this sample rate.
    var isRateFixed: Bool
    var channels: Int
    var period: Int
    var periods: Int
  }

  /// Opens a device by its ALSA name. ALSA does not convert sample rates here: the stream has the rate of the device.
  static func open(_ name: String, _ direction: Direction, _ wish: Wish) throws(Failure) -> Stream {
    alsa_be_quiet()
    var handle: OpaquePointer?
    let error = snd_pcm_open(&handle, name, direction.code, CInt(SND_PCM_NONBLOCK))
    guard error == 0, let pcm = handle else {
      throw .unavailable(
        "The sound device '\(name)' cannot be opened: \(Self.reason(error));"
          + " \(SoundDevice.meant(by: name))./opcodekit devices lists those there are, and --device null plays"
          + " without sound.")
    }
    do throws(Failure) {
      return try negotiate(pcm, name, wish)
    } catch {
      snd_pcm_close(pcm)
      throw error
    }
  }

  func close() {
    snd_pcm_close(pcm)
    block.deallocate()
    descriptors.deallocate()
  }

  static func reason(_ error: CInt) -> String { String(cString: snd_strerror(error)) }

  private static func negotiate(
    _ pcm: OpaquePointer, _ name: String, _ wish: Wish
  ) throws(Failure) -> Stream {
    var parameters: OpaquePointer?
    snd_pcm_hw_params_malloc(&parameters)
    defer { snd_pcm_hw_params_free(parameters) }
    func check(_ error: CInt, _ what: @autoclosure () -> String) throws(Failure) {
      guard error < 0 else { return }
      throw .unavailable("The sound device '\(name)' \(what()): \(reason(error)).")
    }
    try check(snd_pcm_hw_params_any(pcm, parameters), "has no settings")
    try check(
      snd_pcm_hw_params_set_access(pcm, parameters, SND_PCM_ACCESS_RW_INTERLEAVED),
      "does not take interleaved frames")
    snd_pcm_hw_params_set_rate_resample(pcm, parameters, 0)
    let formats = SampleFormat.allCases
    guard
      let format = formats.first(where: {
        snd_pcm_hw_params_set_format(pcm, parameters, $0.code) == 0
      })
    else {
      let names = formats.map(\.name).joined(separator: ", ")
      throw .unavailable("The sound device '\(name)' takes none of the formats \(names).")
    }
    var channels = CUnsignedInt(wish.channels)
    try check(
      snd_pcm_hw_params_set_channels_near(pcm, parameters, &channels),
      "has no number of channels near \(wish.channels)")
    var rate = CUnsignedInt(wish.sampleRate)
    try check(
      snd_pcm_hw_params_set_rate_near(pcm, parameters, &rate, nil),
      "has no sample rate near \(wish.sampleRate) Hz")
    guard !wish.isRateFixed || rate == CUnsignedInt(wish.sampleRate) else {
      throw .unavailable(
        "The sound device '\(name)' does not run at \(wish.sampleRate) Hz; nearest is \(rate) Hz."
          + " Without --sample-rate the orchestra runs at the device's.")
    }
    try setSizes(pcm, parameters!, wish) { error throws(Failure) in
      try check(
        error, "does not take periods of \(wish.period) frames, nor any other at \(rate) Hz")
    }
    var (period, buffer): (snd_pcm_uframes_t, snd_pcm_uframes_t) = (0, 0)
    snd_pcm_hw_params_get_period_size(parameters, &period, nil)
    snd_pcm_hw_params_get_buffer_size(parameters, &buffer)
    try check(wake(pcm, period), "refuses its software settings")
    let count = max(1, snd_pcm_poll_descriptors_count(pcm))
    return Stream(
      pcm: pcm, format: format, channels: Int(channels), sampleRate: Int(rate),
      period: Int(period), buffer: Int(buffer),
      block: .allocate(byteCount: Int(period) * Int(channels) * format.bytes, alignment: 16),
      descriptors: .allocate(capacity: Int(count)), descriptorCount: count)
  }

  /// Sets the sizes of period and buffer. If the device does not support both together, it chooses the period; if that
  /// fails too, it chooses the buffer as well.
  private static func setSizes(
    _ pcm: OpaquePointer, _ parameters: OpaquePointer, _ wish: Wish,
    _ check: (CInt) throws(Failure) -> Void
  ) throws(Failure) {
    var saved: OpaquePointer?
    snd_pcm_hw_params_malloc(&saved)
    defer { snd_pcm_hw_params_free(saved) }
    snd_pcm_hw_params_copy(saved, parameters)
    var error: CInt = 0
    for attempt in 0..<3 {
      snd_pcm_hw_params_copy(parameters, saved)
      var period = snd_pcm_uframes_t(wish.period)
      if attempt == 0 {
        snd_pcm_hw_params_set_period_size_near(pcm, parameters, &period, nil)
        period *= snd_pcm_uframes_t(wish.periods)
      } else {
        period = snd_pcm_uframes_t(wish.period * wish.periods)
      }
      if attempt < 2 { snd_pcm_hw_params_set_buffer_size_near(pcm, parameters, &period) }
      error = snd_pcm_hw_params(pcm, parameters)
      if error == 0 { return }
    }
    try check(error)
  }

  /// Makes the device start only when told to, wake its thread for each whole period, and stop if it has nothing to
  /// play.
  private static func wake(_ pcm: OpaquePointer, _ period: snd_pcm_uframes_t) -> CInt {
    var parameters: OpaquePointer?
    snd_pcm_sw_params_malloc(&parameters)
    defer { snd_pcm_sw_params_free(parameters) }
    snd_pcm_sw_params_current(pcm, parameters)
    snd_pcm_sw_params_set_start_threshold(pcm, parameters, snd_pcm_uframes_t(Int32.max))
    snd_pcm_sw_params_set_avail_min(pcm, parameters, period)
    return snd_pcm_sw_params(pcm, parameters)
  }
}
