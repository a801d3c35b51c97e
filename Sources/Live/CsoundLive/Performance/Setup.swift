import HarnessBase

/// Devices that are open and the engine that was compiled for them.
struct Setup {
  /// The one that plays, or is about to.
  var engine: LiveEngine
  let playback: Stream?
  let capture: Stream?
  /// The sample rate the orchestra asks for, where the device has another.
  let otherSampleRate: Double?

  /// Frames of a period, of the output if there is one.
  let period: Int

  /// Compiles the piece and opens the devices at its sample rate; where the device has only others, the piece is
  /// compiled again at the device's.
  init(_ piece: Piece, _ settings: Settings) throws(Failure) {
    var engine = try LiveEngine(piece, sampleRate: settings.sampleRate, midi: settings.midi)
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
        throw Failure(
          .unavailable,
          "Output and input run at \(playback.sampleRate) and \(capture.sampleRate) Hz;"
            + " they must run at one rate, which --sample-rate chooses.")
      }
      let rate = playback?.sampleRate ?? capture?.sampleRate ?? wish.sampleRate
      if Double(rate) != wished {
        engine = try LiveEngine(piece, sampleRate: rate, midi: settings.midi)
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

  /// Channels that go out.
  var channels: Int { playback?.channels ?? engine.voice.pointee.channels }

  /// Closes the devices.
  func close() {
    playback?.close()
    capture?.close()
  }

  /// Sets an engine that has not yet been heard to the period; it is delayed only where there is an input.
  func adapt(_ engine: LiveEngine) {
    let ksmps = engine.voice.pointee.ksmps
    let latency = capture == nil ? 0 : CycleAdapter.latency(ksmps: ksmps, period: period)
    engine.voice.pointee.adapter = CycleAdapter(ksmps: ksmps, latency: latency)
  }

  /// Input channels an orchestra may have: as many as the device, and 64 in any case.
  var inputChannelLimit: Int { max(64, capture?.channels ?? 0) }

  /// A device with fewer channels than the orchestra would leave some unheard.
  func requireFit(of engine: LiveEngine) throws(Failure) {
    let (inputs, outputs) = (engine.voice.pointee.inputChannels, engine.voice.pointee.channels)
    if let playback, outputs > playback.channels {
      throw Failure(
        .unavailable,
        "The orchestra has \(outputs) channels and the device \(playback.channels);"
          + " choose another device, or set nchnls.")
    }
    guard inputs <= inputChannelLimit else {
      throw Failure(
        .badInput,
        "The orchestra has \(inputs) input channels; at most \(inputChannelLimit) can be fed here.")
    }
  }
}
