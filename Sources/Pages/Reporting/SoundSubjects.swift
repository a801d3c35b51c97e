extension SoundTrial {
  /// What is measured: every opcode with an argument `iquality`.
  package static let subjects = [
    Subject(
      opcode: "SATURATE", kind: .distortion, call: "aout SATURATE ain, $QUALITY",
      rival: "aout tanh ain"),
    Subject(
      opcode: "SATURATE, long form", kind: .distortion,
      call: "aout SATURATE ain, 1, 1, 0.2, 0.1, 2, $QUALITY",
      rival: "aout distort1 ain, 1, 1, 0.2, 0.1, 2"),
    Subject(
      opcode: "CLIP, method 0", kind: .distortion, call: "aout CLIP ain, 0, 0.9, 0.5, $QUALITY",
      rival: "aout clip ain, 0, 0.9"),
    Subject(
      opcode: "CLIP, method 1", kind: .distortion, call: "aout CLIP ain, 1, 0.9, 0.5, $QUALITY",
      rival: "aout clip ain, 1, 0.9"),
    Subject(
      opcode: "CLIP, method 2", kind: .distortion, call: "aout CLIP ain, 2, 0.9, 0.5, $QUALITY",
      rival: "aout clip ain, 2, 0.9"),
    Subject(
      opcode: "MOOGLADDER, driven", kind: .distortion,
      call: "aout MOOGLADDER ain, 6000, 0.7, 0, $QUALITY", rival: "aout moogladder ain, 6000, 0.7"),
    Subject(
      opcode: "MOOGLADDER, resonance 1.05", kind: .tuning,
      call: "aout MOOGLADDER ain, $CPS, 1.05, 0, $QUALITY", rival: "aout moogladder ain, $CPS, 1.05"
    ),
    Subject(
      opcode: "LADDER, driven", kind: .distortion,
      call: "aout LADDER ain, 6000, 0.7, 0, 1, 1, 0, $QUALITY", rival: nil),
    Subject(
      opcode: "LADDER, resonance 1.05", kind: .tuning,
      call: "aout LADDER ain, $CPS, 1.05, 0, 1, 1, 0, $QUALITY", rival: nil),
    Subject(
      opcode: "LPF18, distortion 0", kind: .distortion,
      call: "aout LPF18 ain, 6000, 0.7, 0, 0, $QUALITY", rival: "aout lpf18 ain, 6000, 0.7, 0"),
    Subject(
      opcode: "LPF18, distortion 0.5", kind: .distortion,
      call: "aout LPF18 ain, 6000, 0.7, 0.5, 0, $QUALITY", rival: "aout lpf18 ain, 6000, 0.7, 0.5"),
    Subject(
      opcode: "LPF18, resonance 1.05", kind: .tuning,
      call: "aout LPF18 ain, $CPS, 1.05, 0, 0, $QUALITY", rival: "aout lpf18 ain, $CPS, 1.05, 0"),
    Subject(
      opcode: "DIODELADDER, saturated", kind: .distortion,
      call: "aout DIODELADDER ain, 6000, 8, 2, 1, 0, $QUALITY",
      rival: "aout diode_ladder ain, 6000, 8, 2, 1"),
    Subject(
      opcode: "DIODELADDER, feedback 16.99", kind: .tuning,
      call: "aout DIODELADDER ain, $CPS, 16.99, 0, 1, 0, $QUALITY",
      rival: "aout diode_ladder ain, $CPS, 16.99"),
    Subject(
      opcode: "VCS3FILTER", kind: .distortion, call: "aout VCS3FILTER ain, 6000, 0.7, $QUALITY",
      rival: nil, level: 2.5),
    Subject(
      opcode: "VCS3FILTER, response 1.5", kind: .tuning,
      call: "aout VCS3FILTER ain, $CPS, 1.5, $QUALITY", rival: nil),
    Subject(
      opcode: "VCS3OSC, rectangle", kind: .oscillator,
      call: "aout, a2 VCS3OSC $CPS, 0.5, 2, $QUALITY", rival: "aout vco2 1, $CPS, 10"),
    Subject(
      opcode: "VCS3OSC, pulse of 0.1", kind: .oscillator,
      call: "aout, a2 VCS3OSC $CPS, 0.1, 2, $QUALITY", rival: "aout vco2 1, $CPS, 2, 0.1"),
    Subject(
      opcode: "VCS3OSC, triangle", kind: .oscillator,
      call: "a1, aout VCS3OSC $CPS, 0.5, 2, $QUALITY", rival: "aout vco2 1, $CPS, 12"),
    Subject(
      opcode: "VCS3OSC, ramp", kind: .oscillator,
      call: "a1, aout VCS3OSC $CPS, 0.5, 1, $QUALITY", rival: "aout vco2 1, $CPS"),
    Subject(
      opcode: "MORPH, ramp", kind: .oscillator,
      call: """
        iramp ftgenonce 0, 0, 2048, 7, -1, 2048, 1
        aout MORPH 1, $CPS, 0, 0, iramp, iramp, iramp, iramp, $QUALITY
        """, rival: "aout vco2 1, $CPS"),
    Subject(
      opcode: "MORPH, pulse of 0.1", kind: .oscillator,
      call: """
        ipulse ftgenonce 0, 0, 2048, 7, 1, 205, 1, 0, -1, 1843, -1
        aout MORPH 1, $CPS, 0, 0, ipulse, ipulse, ipulse, ipulse, $QUALITY
        """, rival: "aout vco2 1, $CPS, 2, 0.1"),
    Subject(
      opcode: "STATEVAR, xq 10", kind: .gain,
      call: "ah, al, aout, ar STATEVAR ain, $CPS, 10, 0, 0, $QUALITY",
      rival: "ah, al, aout, ar statevar ain, $CPS, 10", level: 10),
  ]

  /// Filters whose answers to a step and to a pulse are drawn.
  package static let responses = [
    Response(
      name: "MOOGLADDER, resonance 0.8", call: "aout MOOGLADDER ain, 1000, 0.8, 0, $QUALITY",
      rival: "aout moogladder ain, 1000, 0.8"),
    Response(
      name: "LADDER, resonance 0.8", call: "aout LADDER ain, 1000, 0.8, 0, 1, 1, 0, $QUALITY",
      rival: nil),
    Response(
      name: "LPF18, resonance 0.8", call: "aout LPF18 ain, 1000, 0.8, 0, 0, $QUALITY",
      rival: "aout lpf18 ain, 1000, 0.8, 0"),
    Response(
      name: "DIODELADDER, feedback 14", call: "aout DIODELADDER ain, 1000, 14, 0, 1, 0, $QUALITY",
      rival: "aout diode_ladder ain, 1000, 14"),
    Response(
      name: "VCS3FILTER, response 0.8", call: "aout VCS3FILTER ain, 1000, 0.8, $QUALITY",
      rival: nil),
    Response(
      name: "STATEVAR, lowpass, xq 10",
      call: "ah, aout, ab, ar STATEVAR ain, 1000, 10, 0, 0, $QUALITY",
      rival: "ah, aout, ab, ar statevar ain, 1000, 10"),
  ]
}
