import Synchronization

extension AudioLoop {
  /// Computes one period into `memory.mix`, measures it and passes it to the recording.
  @inline(__always) mutating func compute() {
    for index in 0..<period &* channels { memory.mix[index] = 0 }
    if isPaused {
      // Events are taken during a pause too, so that tables can be read and replaced.
      if !current.pointee.adapter.hasEnded { current.pointee.takeEvents() }
      next?.pointee.takeEvents()
    } else {
      mixEngines()
      graph?.pointee.render(memory.mix, period, channels)
    }
    fade()
    guardSamples()
    status.pointee.trace.take(memory.mix, period, channels)
    if let tape {
      let bytes = period &* channels &* MemoryLayout<Double>.stride
      if !tape.pointee.write(memory.mix, bytes) {
        status.pointee.unrecorded.wrappingAdd(1, ordering: .relaxed)
      }
    }
  }

  /// Feeds each engine a whole period and takes a whole period from it, as the latency calculation relies on whole
  /// periods. The next engine begins at the frame it has been performed to; with an input that is the first frame of a
  /// period.
  @inline(__always) private mutating func mixEngines() {
    guard let next, next.pointee.frames < position &+ period || faded != nil else {
      add(current, 0) { _ in 1 }
      position &+= period
      hasFinished = current.pointee.adapter.hasEnded && next == nil
      return
    }
    var begin = 0
    if faded == nil {
      begin = max(0, next.pointee.frames &- position)
      position = next.pointee.frames &- begin
      faded = 0 &- next.pointee.adapter.latency
      current.pointee.sendMIDI(to: nil)
      next.pointee.sendMIDI(to: midi)
      midi?.pointee.takeOver(position)
    }
    let (so, step) = ((faded ?? 0) &- begin, 1 / Double(fadeLength))
    // The gain of the next engine, 0 to 1, at a frame of the period.
    func part(_ frame: Int) -> Double { max(0, min(1, Double(so &+ frame) * step)) }
    add(current, 0) { $0 < begin ? 1 : 1 - part($0) }
    add(next, begin) { part($0) }
    position &+= period
    faded = so &+ period
    if so &+ period >= fadeLength { replaceEngine(next) }
    hasFinished = current.pointee.adapter.hasEnded && self.next == nil
  }

  @inline(__always) mutating func retire(_ voice: UnsafeMutablePointer<EngineVoice>) {
    var old = UnsafeMutableRawPointer(voice)
    _ = retired.write(&old, MemoryLayout<UnsafeMutableRawPointer>.stride)
  }

  @inline(__always) mutating func replaceEngine(_ next: UnsafeMutablePointer<EngineVoice>) {
    retire(current)
    current = next
    self.next = nil
    faded = nil
  }

  /// Adds an engine's output from frame `start` to the end of the period, with `gain` for each frame of the period.
  @inline(__always)
  private func add(
    _ voice: UnsafeMutablePointer<EngineVoice>, _ start: Int, _ gain: (Int) -> Double
  ) {
    let count = period &- start
    let inputs = voice.pointee.inputChannels
    if capture != nil { feed(voice, start, count) }
    var adapter = voice.pointee.adapter
    adapter.fill(
      memory.engine, count, from: capture != nil && inputs > 0 ? UnsafePointer(memory.fed) : nil,
      &voice.pointee)
    voice.pointee.adapter = adapter
    let width = voice.pointee.channels
    let scale = voice.pointee.outputScale
    for frame in 0..<count {
      let factor = gain(start &+ frame)
      let source = memory.engine + frame &* width
      let target = memory.mix + (start &+ frame) &* channels
      for channel in 0..<channels {
        // A mono engine is played on the first two channels.
        let from = width == 1 && channel == 1 ? 0 : channel
        // Multiplied in Csound's order, so that at full gain samples are identical to those of an offline render.
        if from < width { target[channel] += source[from] * scale * factor }
      }
    }
  }

  /// Copies the input to `memory.fed`, with the channels and the full scale of an engine.
  @inline(__always)
  private func feed(_ voice: UnsafeMutablePointer<EngineVoice>, _ start: Int, _ count: Int) {
    guard let capture else { return }
    let (width, inputs) = (capture.channels, voice.pointee.inputChannels)
    let scale = voice.pointee.inputScale
    for frame in 0..<count {
      for channel in 0..<inputs {
        let from = width == 1 && channel == 1 ? 0 : channel
        let sample = from < width ? memory.heard[(start &+ frame) &* width &+ from] : 0
        memory.fed[frame &* inputs &+ channel] = sample * scale
      }
    }
  }

  /// Applies the fade to or from silence.
  @inline(__always) private mutating func fade() {
    guard isFadingOut || gain < fadeLength else { return }
    for frame in 0..<period {
      if isFadingOut { gain = max(0, gain &- 1) } else { gain = min(fadeLength, gain &+ 1) }
      let factor = Double(gain) / Double(fadeLength)
      for channel in 0..<channels { memory.mix[frame &* channels &+ channel] *= factor }
    }
    isPaused = isFadingOut && gain == 0
  }

  /// Measures peaks and counts clipped samples. An infinite sample or NaN would be noise at full scale and becomes 0.
  @inline(__always) private func guardSamples() {
    for channel in 0..<channels {
      var peak = 0.0
      var (clipped, notFinite) = (0, 0)
      var index = channel
      while index < period &* channels {
        let size = abs(memory.mix[index])
        if size < .infinity {
          peak = max(peak, size)
          if size > 1 { clipped &+= 1 }
        } else {
          memory.mix[index] = 0
          notFinite &+= 1
        }
        index &+= channels
      }
      let place = status.pointee.peaks + channel
      if peak > place.pointee.load(ordering: .relaxed) {
        place.pointee.store(peak, ordering: .relaxed)
      }
      if clipped > 0 { status.pointee.clipped.wrappingAdd(clipped, ordering: .relaxed) }
      if notFinite > 0 { status.pointee.notFinite.wrappingAdd(notFinite, ordering: .relaxed) }
    }
  }
}
