import HarnessBase

/// The open devices and the engine that was compiled for them.
struct Setup {
  /// The engine that plays, or is about to.
  var engine: LiveEngine
  let playback: Stream?
  let capture: Stream?
  /// The sample rate that the orchestra asks for, in Hz, if the device has another; otherwise nil.
  let otherSampleRate: Double?

  /// Frames in a period of the output, or else of the input, or else of the settings.
  let period: Int

  /// Compiles the piece and opens the devices at its sample rate. If the device does not support that, the piece is
  /// compiled again at the device's.
  init(_ piece: Piece, _ settings: Settings) throws(Failure) {
    var engine = try LiveEngine(piece, sampleRate: settings.sampleRate, midi: settings.midiWays)
    let wished = engine.csound.sampleRate
    var wish = Stream.Wish(
      sampleRate: Int(wished.rounded()), isRateFixed: settings.sampleRate != nil,
      channels: engine.voice.pointee.channels, period: settings.period, periods: settings.periods)
    let playback = try settings.device.name.map { name throws(Failure) in
      try Stream.open(name, .playback, wish)
    }
    var capture: Stream?
    do throws(Failure) {
      if let playback { wish.sampleRate = playback.sampleRate }
      wish.channels = max(1, engine.voice.pointee.inputChannels)
      if let playback { wish.period = playback.period }
      capture = try settings.input.map { name throws(Failure) in
        try Stream.open(name, .capture, wish)
      }
      if let playback, let capture, playback.sampleRate != capture.sampleRate {
        throw .unavailable(
          "Output and input run at \(playback.sampleRate) and \(capture.sampleRate) Hz;"
            + " they must run at one rate, which --sample-rate chooses.")
      }
      let rate = playback?.sampleRate ?? capture?.sampleRate ?? wish.sampleRate
      if Double(rate) != wished {
        engine = try LiveEngine(piece, sampleRate: rate, midi: settings.midiWays)
      }
      otherSampleRate = Double(rate) != wished ? wished : nil
      self.engine = engine
      self.playback = playback
      self.capture = capture
      period = playback?.period ?? capture?.period ?? settings.period
      try requireFit(of: engine)
    } catch {
      playback?.close()
      capture?.close()
      throw error
    }
    adapt(engine)
  }

  /// Output channels: the device's, or else the orchestra's.
  var channels: Int { playback?.channels ?? engine.voice.pointee.channels }

  /// Closes the devices.
  func close() {
    playback?.close()
    capture?.close()
  }

  /// Adapts an engine that has not played yet to the period. Its output is delayed only if there is an input.
  func adapt(_ engine: LiveEngine) {
    let ksmps = engine.voice.pointee.ksmps
    let latency = capture == nil ? 0 : CycleAdapter.latency(ksmps: ksmps, period: period)
    engine.voice.pointee.adapter = CycleAdapter(ksmps: ksmps, latency: latency)
  }

  /// The most input channels that an orchestra may have: as many as the input device has, but at least 64.
  var inputChannelLimit: Int { max(64, capture?.channels ?? 0) }

  /// Throws if the orchestra has more output channels than the device, or more input channels than can be fed.
  func requireFit(of engine: LiveEngine) throws(Failure) {
    let (inputs, outputs) = (engine.voice.pointee.inputChannels, engine.voice.pointee.channels)
    if let playback, outputs > playback.channels {
      throw .unavailable(
        "The orchestra has \(outputs) channels and the device \(playback.channels);"
          + " choose another device, or set nchnls.")
    }
    guard inputs <= inputChannelLimit else {
      throw .badInput(
        "The orchestra has \(inputs) input channels; at most \(inputChannelLimit) can be fed here.")
    }
  }
}
