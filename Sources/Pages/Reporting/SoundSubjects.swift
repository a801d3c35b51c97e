extension SoundTrial {
  /// What is measured: every opcode with an argument `iquality`.
  package static let subjects = [
    Subject("SATURATE", .distortion, "aout SATURATE ain, $QUALITY", "aout tanh ain"),
    Subject(
      "SATURATE, long form", .distortion, "aout SATURATE ain, 1, 1, 0.2, 0.1, 2, $QUALITY",
      "aout distort1 ain, 1, 1, 0.2, 0.1, 2"),
    Subject(
      "CLIP, method 0", .distortion, "aout CLIP ain, 0, 0.9, 0.5, $QUALITY",
      "aout clip ain, 0, 0.9"),
    Subject(
      "CLIP, method 1", .distortion, "aout CLIP ain, 1, 0.9, 0.5, $QUALITY",
      "aout clip ain, 1, 0.9"),
    Subject(
      "CLIP, method 2", .distortion, "aout CLIP ain, 2, 0.9, 0.5, $QUALITY",
      "aout clip ain, 2, 0.9"),
    Subject(
      "MOOGLADDER, driven", .distortion, "aout MOOGLADDER ain, 6000, 0.7, 0, $QUALITY",
      "aout moogladder ain, 6000, 0.7"),
    Subject(
      "MOOGLADDER, resonance 1.05", .tuning, "aout MOOGLADDER ain, $CPS, 1.05, 0, $QUALITY",
      "aout moogladder ain, $CPS, 1.05"),
    Subject("LADDER, driven", .distortion, "aout LADDER ain, 6000, 0.7, 0, 1, 1, 0, $QUALITY", nil),
    Subject(
      "LADDER, resonance 1.05", .tuning, "aout LADDER ain, $CPS, 1.05, 0, 1, 1, 0, $QUALITY", nil),
    Subject(
      "LPF18, distortion 0", .distortion, "aout LPF18 ain, 6000, 0.7, 0, 0, $QUALITY",
      "aout lpf18 ain, 6000, 0.7, 0"),
    Subject(
      "LPF18, distortion 0.5", .distortion, "aout LPF18 ain, 6000, 0.7, 0.5, 0, $QUALITY",
      "aout lpf18 ain, 6000, 0.7, 0.5"),
    Subject(
      "LPF18, resonance 1.05", .tuning, "aout LPF18 ain, $CPS, 1.05, 0, 0, $QUALITY",
      "aout lpf18 ain, $CPS, 1.05, 0"),
    Subject(
      "DIODELADDER, saturated", .distortion, "aout DIODELADDER ain, 6000, 8, 2, 1, 0, $QUALITY",
      "aout diode_ladder ain, 6000, 8, 2, 1"),
    Subject(
      "DIODELADDER, feedback 16.99", .tuning,
      "aout DIODELADDER ain, $CPS, 16.99, 0, 1, 0, $QUALITY", "aout diode_ladder ain, $CPS, 16.99"),
    Subject("VCS3FILTER", .distortion, "aout VCS3FILTER ain, 6000, 0.7, $QUALITY", nil, level: 2.5),
    Subject("VCS3FILTER, response 1.5", .tuning, "aout VCS3FILTER ain, $CPS, 1.5, $QUALITY", nil),
    Subject(
      "VCS3OSC, rectangle", .oscillator, "aout, a2 VCS3OSC $CPS, 0.5, 2, $QUALITY",
      "aout vco2 1, $CPS, 10"),
    Subject(
      "VCS3OSC, pulse of 0.1", .oscillator, "aout, a2 VCS3OSC $CPS, 0.1, 2, $QUALITY",
      "aout vco2 1, $CPS, 2, 0.1"),
    Subject(
      "VCS3OSC, triangle", .oscillator, "a1, aout VCS3OSC $CPS, 0.5, 2, $QUALITY",
      "aout vco2 1, $CPS, 12"),
    Subject(
      "VCS3OSC, ramp", .oscillator, "a1, aout VCS3OSC $CPS, 0.5, 1, $QUALITY", "aout vco2 1, $CPS"),
    Subject(
      "MORPH, ramp", .oscillator,
      """
      iramp ftgenonce 0, 0, 2048, 7, -1, 2048, 1
      aout MORPH 1, $CPS, 0, 0, iramp, iramp, iramp, iramp, $QUALITY
      """, "aout vco2 1, $CPS"),
    Subject(
      "MORPH, pulse of 0.1", .oscillator,
      """
      ipulse ftgenonce 0, 0, 2048, 7, 1, 205, 1, 0, -1, 1843, -1
      aout MORPH 1, $CPS, 0, 0, ipulse, ipulse, ipulse, ipulse, $QUALITY
      """, "aout vco2 1, $CPS, 2, 0.1"),
    Subject(
      "STATEVAR, xq 10", .gain, "ah, al, aout, ar STATEVAR ain, $CPS, 10, 0, 0, $QUALITY",
      "ah, al, aout, ar statevar ain, $CPS, 10", level: 10),
  ]

  /// Filters whose answers to a step and to a pulse are drawn.
  package static let responses = [
    Response(
      "MOOGLADDER, resonance 0.8", "aout MOOGLADDER ain, 1000, 0.8, 0, $QUALITY",
      "aout moogladder ain, 1000, 0.8"),
    Response("LADDER, resonance 0.8", "aout LADDER ain, 1000, 0.8, 0, 1, 1, 0, $QUALITY", nil),
    Response(
      "LPF18, resonance 0.8", "aout LPF18 ain, 1000, 0.8, 0, 0, $QUALITY",
      "aout lpf18 ain, 1000, 0.8, 0"),
    Response(
      "DIODELADDER, feedback 14", "aout DIODELADDER ain, 1000, 14, 0, 1, 0, $QUALITY",
      "aout diode_ladder ain, 1000, 14"),
    Response("VCS3FILTER, response 0.8", "aout VCS3FILTER ain, 1000, 0.8, $QUALITY", nil),
    Response(
      "STATEVAR, lowpass, xq 10", "ah, aout, ab, ar STATEVAR ain, 1000, 10, 0, 0, $QUALITY",
      "ah, aout, ab, ar statevar ain, 1000, 10"),
  ]
}
