/// Writes the CSD that plays a call. Like a CSD written by hand, it is controlled by macros.
struct CallOrchestra {
  let pattern: CallPattern
  let subject: String
  let rival: String
  /// The pairing's name.
  let name: String

  private typealias Variable = CallPattern.Variable

  var text: String {
    let parts = [
      header, macros, tables, signalOpcodes, curves, instrument, notes,
    ].filter { !$0.isEmpty }
    return """
      <CsoundSynthesizer>
      <CsInstruments>
      \(parts.joined(separator: "\n\n"))
      </CsInstruments>
      <CsScore>
      f 0 z
      </CsScore>
      </CsoundSynthesizer>

      """
  }

  // MARK: Header

  private var header: String {
    let swap = pattern.rival == nil ? "--omacro:OPCODE=\(rival)" : "--omacro:RIVAL=1"
    return """
      ; \(subject) and \(rival), written by opcodekit from Benchmarks/\(name).json.
      ;   csound --opcode-lib=PLUGIN \(name).csd -odac
      ; Every macro can be set from outside: \(swap) plays \(rival).

      sr = 48000
      ksmps = 64
      nchnls = \(channelCount)
      \(macro("FULLSCALE", "1"))
      0dbfs = $FULLSCALE
      """
  }

  private func macro(_ name: String, _ value: String) -> String {
    """
    #ifndef \(name)
    #define \(name) #\(value)#
    #end
    """
  }

  private var macros: String {
    var parts = [macro("OPCODE", subject)]
    if !pattern.audioSignals.isEmpty {
      parts += [
        "; The signal: Saw, Noise, Impulse, Burst, Swell (from almost nothing), or Input (the sound",
        "; card or a file), and its level.",
        macro("SIGNAL", "Saw"), macro("LEVEL", "0.5"),
      ]
    }
    if !pattern.controlSignals.isEmpty {
      parts += [
        "; The control signal: Steps, Ramp, Noise, Impulse or Input (the sound card or a file).",
        macro("CONTROL", "Steps"),
      ]
    }
    parts.append(macro("DURATION", "4"))
    for name in pattern.controlNames {
      let range = pattern.controls[name]!
      func part(_ what: String, _ value: String) -> String {
        macro(CallPattern.macro(name, what), value)
      }
      let isStill = pattern.isInitTime(name)
      let isRead = isStill && !pattern.isInitTime
      parts.append(
        isRead
          ? "; \(name) is the start."
          : isStill
            ? "; \(name) goes from start to end, note by note."
            : "; \(name) goes from start to end: by linseg, expseg, Vibrato or Rest.")
      parts += [part("START", range.start.text), part("END", range.end.text)]
      if !isStill { parts.append(part("CURVE", range.isExponential ? "expseg" : "linseg")) }
      if pattern.rates(of: name).contains("x") { parts.append(part("RATE", "k")) }
    }
    return parts.joined(separator: "\n")
  }

  private var tables: String {
    pattern.tables.sorted { $0.key < $1.key }
      .map { "gi\($0.key) ftgen \($0.value)" }.joined(separator: "\n")
  }

  // MARK: Signals

  private var signalOpcodes: String {
    var opcodes: [String] = []
    func add(_ name: String, _ rate: String, _ lines: String, _ result: String) {
      opcodes.append(
        """
        opcode \(name), \(rate), i
          ichannel xin
        \(lines)
          xout \(result)
        endop
        """)
    }
    if !pattern.audioSignals.isEmpty {
      add("Saw", "a", "  asaw vco2 $LEVEL * 0dbfs, 110 * ichannel", "asaw")
      let noise = "  anoise rand $LEVEL * 0dbfs, 0.5 / ichannel, 1"
      add("Noise", "a", noise, "anoise")
      add("Impulse", "a", "  aimpulse mpulse $LEVEL * 0dbfs, 0", "aimpulse")
      add(
        "Burst", "a", noise + "\n  aenvelope linseg 1, 0.1, 1, 0, 0, 1, 0", "anoise * aenvelope")
      add(
        "Swell", "a", "  alevel expon 1e-9, p3, $LEVEL\n  asine oscili 0dbfs, 441 * ichannel",
        "alevel * asine")
      add("Input", "a", "  ainput inch (ichannel - 1) % nchnls + 1", "ainput")
    }
    if !pattern.controlSignals.isEmpty {
      add("Steps", "k", "  ksteps randh 1, 5, 0.5 / ichannel", "ksteps")
      add("Ramp", "k", "  kramp line -1, p3, ichannel", "kramp")
      add("Noise", "k", "  knoise rand 1, 0.5 / ichannel", "knoise")
      add("Impulse", "k", "  kcycle timeinstk\n  kimpulse = (kcycle == 1 ? 1 : 0)", "kimpulse")
      add(
        "Input", "k",
        "  ainput inch (ichannel - 1) % nchnls + 1\n  kinput downsamp ainput", "kinput")
    }
    return opcodes.joined(separator: "\n\n")
  }

  /// Two opcodes with the arguments of `linseg`: Vibrato is an 811 Hz sine over the middle half of the
  /// range; Rest stays at the start for half the time, then moves to the end.
  private var curves: String {
    let moving = pattern.controlNames.filter { !pattern.isInitTime($0) }
    guard !moving.isEmpty else { return "" }
    return ["k", "a"].map { rate in
      """
      opcode Vibrato, \(rate), iiiii
        istart, itime, iend, irest, istay xin
        \(rate)wave oscili (iend - istart) / 4, 811
        xout (istart + iend) / 2 + \(rate)wave
      endop

      opcode Rest, \(rate), iiiii
        istart, itime, iend, irest, istay xin
        \(rate)value linseg istart, itime / 2, istart, itime / 2, iend
        xout \(rate)value
      endop
      """
    }.joined(separator: "\n\n")
  }

  // MARK: Instrument

  private var instrument: String {
    """
    instr 1
    \(inputs.map { "  " + $0 }.joined(separator: "\n"))
    \(pattern.hasAudioOutput ? calls : measurableCalls)
    #ifndef MUTED
    \(sound.map { "  " + $0 }.joined(separator: "\n"))
    #end
    endin
    """
  }

  private var inputs: [String] {
    var lines: [String] = []
    var channel = 0
    let width = pattern.signals.reduce(0) { $0 + size($1) }
    for signal in pattern.signals {
      let opcode = signal.rate == "a" ? "$SIGNAL" : "$CONTROL"
      if signal.isArray { lines.append("\(signal.name)[] init \(size(signal))") }
      for element in elements(signal) {
        channel += 1
        let number = width == 1 ? "p4" : "(p4 - 1) * \(width) + \(channel)"
        lines.append("\(element) \(opcode) \(number)")
      }
    }
    for variable in pattern.variables {
      switch variable.kind {
      case .control(let name): lines.append(control(variable, name))
      case .table(let name): lines.append("\(variable.name) = gi\(name)")
      case .output, .signal: break
      }
    }
    for output in pattern.outputs {
      lines.append(
        output.isArray ? "\(output.name)[] init \(size(output))" : "\(output.name) init 0")
    }
    return lines
  }

  private func control(_ variable: Variable, _ name: String) -> String {
    func macro(_ what: String) -> String { "$" + CallPattern.macro(name, what) }
    let (start, end) = (macro("START"), macro("END"))
    guard variable.rate == "i" else {
      let target = variable.rate == "x" ? macro("RATE") + "." + name : variable.name
      // The final segment holds the end value: in a last k-cycle longer than the note, `expseg` would
      // continue beyond it.
      return "\(target) \(macro("CURVE")) \(start), p3, \(end), 1, \(end)"
    }
    guard pattern.isInitTime, !pattern.controls[name]!.isConstant else {
      return "\(variable.name) = \(start)"
    }
    return pattern.controls[name]!.isExponential
      ? "\(variable.name) = (\(start)) * ((\(end)) / (\(start))) ^ p5"
      : "\(variable.name) = (\(start)) + ((\(end)) - (\(start))) * p5"
  }

  /// The lines of a call, in which macros stand for the rates of controls of any rate.
  private func code(_ call: CallCode) -> [String] {
    pattern.variables.reduce(call) { code, variable in
      guard case .control(let name) = variable.kind, variable.rate == "x" else { return code }
      return code.replacing(variable.name, with: "$" + CallPattern.macro(name, "RATE") + "." + name)
    }.lines
  }

  /// The call, repeated `count` times; with the macro RIVAL, the rival's call, if it has its own.
  private func calls(_ indent: String, times count: Int) -> String {
    func lines(_ call: CallCode) -> String {
      let once = code(call).map { indent + $0 }
      return Array(repeating: once, count: count).flatMap(\.self).joined(separator: "\n")
    }
    let subject = pattern.subject.replacing(subject, with: "$OPCODE")
    guard let rival = pattern.rival else { return lines(subject) }
    return """
      #ifdef RIVAL
      \(lines(rival))
      #else
      \(lines(subject))
      #end
      """
  }

  private var calls: String {
    """
    #ifndef EMPTY
    \(calls("  ", times: 1))
    #end
    """
  }

  /// The calls of an opcode without audio output. With the macro MEASURED, each k-cycle calls the opcode
  /// `CallPattern.measuredCalls` times, at i-time too, so that its cost is large enough to measure.
  private var measurableCalls: String {
    let isInitTime = pattern.isInitTime
    let rate = isInitTime ? "i" : "k"
    let rounds = CallPattern.measuredCalls / 16
    return """
      #ifdef MEASURED
      \(isInitTime ? "  reinit again\nagain:\n" : "")  \(rate)round = 0
        while \(rate)round < \(rounds) do
      #ifndef EMPTY
      \(calls("    ", times: 16))
      #end
          \(rate)round += 1
        od\(isInitTime ? "\n  rireturn" : "")
      #else
      \(calls)
      #end
      """
  }

  // MARK: Outputs

  private func size(_ variable: Variable) -> Int {
    variable.isArray ? CallPattern.arrayLength : 1
  }

  private func elements(_ variable: Variable) -> [String] {
    guard variable.isArray else { return [variable.name] }
    return (0..<size(variable)).map { "\(variable.name)[\($0)]" }
  }

  private var channelCount: Int { pattern.outputs.reduce(0) { $0 + size($1) } }

  /// Sends each output value, or element of an output array, to its own channel. Values at k-rate and
  /// i-rate are converted to audio rate unscaled.
  private var sound: [String] {
    var lines: [String] = []
    var channel = 0
    for output in pattern.outputs {
      for element in elements(output) {
        channel += 1
        var value = element
        if output.rate != "a" {
          lines += ["kvalue\(channel) = \(element)", "avalue\(channel) upsamp kvalue\(channel)"]
          value = "avalue\(channel)"
        }
        let number =
          channelCount == 1 ? "p4" : "((p4 - 1) * \(channelCount) + \(channel - 1)) % nchnls + 1"
        lines.append("outch \(number), \(value)")
      }
    }
    return lines
  }

  // MARK: Notes

  private var notes: String {
    let groups = channelCount == 1 ? "nchnls" : "ceil(nchnls / \(channelCount))"
    guard pattern.isInitTime else {
      return """
        ; NOTES notes for \(channelCount == 1 ? "each output channel" : "all output channels").
        \(macro("NOTES", "1"))
        inote = 0
        while inote < $NOTES * \(groups) do
          schedule 1, 0, $DURATION, inote % \(groups) + 1, 0
          inote += 1
        od
        event_i "e", 0, $DURATION
        """
    }
    return """
      ; NOTES notes, one after the other.
      \(macro("NOTES", "16"))
      inote = 0
      while inote < $NOTES do
        ichannel = 1
        while ichannel <= \(groups) do
          schedule 1, inote * $DURATION / $NOTES, $DURATION / $NOTES, ichannel, inote / max(1, $NOTES - 1)
          ichannel += 1
        od
        inote += 1
      od
      event_i "e", 0, $DURATION
      """
  }
}
