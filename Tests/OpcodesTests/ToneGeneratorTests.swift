import Foundation
import Opcodes
import Testing

@Suite("A tone generator's wheels and wiring")
struct ToneGeneratorTests {
  /// The gears as they are told of the instrument, C to B, and what C1, A4 and the highest make.
  static let gears: [(Double, Double)] = [
    (85, 104), (71, 82), (67, 73), (105, 108), (103, 100), (84, 77), (74, 64), (98, 80), (96, 74),
    (88, 64), (67, 46), (108, 70),
  ]

  static func frequency(_ number: Int) -> Double {
    let (driving, driven) = gears[number > 84 ? number - 80 : (number - 1) % 12]
    return 1200 / 60 * (number > 84 ? 192 : pow(2, Double((number - 1) / 12 + 1))) * driving
      / driven
  }

  @Test("Every wheel turns as its gears do")
  func gears() {
    for number in 1...91 {
      let cents = 1200 * log2(ToneWheel.frequency(of: number) / Self.frequency(number))
      #expect(abs(cents) < 0.001)
      // Against equal temperament, as published: up to 0.71 cents flat and 1.98 sharp.
      let tempered = 440 * pow(2, Double(number - 46) / 12)
      let from = 1200 * log2(ToneWheel.frequency(of: number) / tempered)
      #expect(number <= 84 ? -0.715...0.205 ~= from : 1.245...1.985 ~= from, "\(number) \(from)")
    }
    #expect(abs(ToneWheel.frequency(of: 1) - 32.692) < 0.001)
    #expect(ToneWheel.frequency(of: 46) == 440)
    #expect(abs(ToneWheel.frequency(of: 84) - 3949.71) < 0.01)
    #expect(abs(ToneWheel.frequency(of: 85) - 4189.09) < 0.01)
    #expect(abs(ToneWheel.frequency(of: 91) - 5924.57) < 0.01)
  }

  @Test("Companions are mutual, and each terminal lies between two others but for the ends")
  func neighbours() {
    for number in 1...91 {
      let companion = ToneWheel.companion(of: number)
      #expect((37...41 ~= number) == (companion == 0))
      #expect(companion == 0 || ToneWheel.companion(of: companion) == number)
      let (left, right) = ToneWheel.neighbours(of: number)
      #expect(left == 0 || ToneWheel.neighbours(of: left).right == number)
      #expect(right == 0 || ToneWheel.neighbours(of: right).left == number)
    }
    let ends = (1...91).filter {
      ToneWheel.neighbours(of: $0).left == 0 || ToneWheel.neighbours(of: $0).right == 0
    }
    #expect(ends == [49, 85])
    #expect(ToneWheel.neighbours(of: 6).left == 18 && ToneWheel.neighbours(of: 6).right == 54)
    #expect(ToneWheel.neighbours(of: 47).left == 59 && ToneWheel.neighbours(of: 47).right == 40)
  }

  @Test("A key's drawbars are its harmonics, folded back at both ends of the generator")
  func foldback() {
    func wheels(_ key: Int) -> [Int] {
      (0..<9).map { OrganWiring.wheel(.upper, key: key, drawbar: $0) }
    }
    // Middle C: C3, G4, C4, C5, G5, C6, E6, G6, C7.
    #expect(wheels(24) == [25, 44, 37, 49, 56, 61, 65, 68, 73])
    #expect(wheels(0) == [13, 20, 13, 25, 32, 37, 41, 44, 49])
    #expect(wheels(11)[0] == 24 && wheels(12)[0] == 13)
    #expect(wheels(60) == [61, 80, 73, 85, 80, 85, 89, 80, 85])
    #expect((0..<61).allSatisfy { wheels($0).allSatisfy((13...91).contains) })
    let pedals = (0..<25).map {
      [
        OrganWiring.wheel(.pedals, key: $0, drawbar: 0),
        OrganWiring.wheel(.pedals, key: $0, drawbar: 1),
      ]
    }
    #expect(pedals == (1...25).map { [$0, $0 + 12] })
  }

  @Test("Drawbars go in steps of 3 dB, and smoothly to nothing")
  func drawbars() {
    for setting in 1...8 {
      let decibels = 20 * log10(OrganWiring.drawbarGain(Double(setting)))
      #expect(abs(decibels + 3 * Double(8 - setting)) < 1e-9)
    }
    #expect(OrganWiring.drawbarGain(0) == 0 && OrganWiring.drawbarGain(-3) == 0)
    #expect(OrganWiring.drawbarGain(.nan) == 0 && OrganWiring.drawbarGain(9) == 1)
    #expect(OrganWiring.drawbarGain(0.5) == OrganWiring.drawbarGain(1) / 2)
  }

  @Test("The taper rises along the keys for low drawbars and falls for high ones")
  func taper() {
    func decibels(_ key: Int, _ drawbar: Int) -> Double {
      20 * log10(OrganWiring.taper(key: key, drawbar: drawbar))
    }
    for drawbar in 0..<9 {
      for key in 0..<61 {
        let steps = [-10, -7, -3.5, 0, 3.5, 7].map { abs($0 - decibels(key, drawbar)) }
        #expect(steps.min()! < 1e-9)
        if key > 0 && drawbar != 3 {
          let rise = decibels(key, drawbar) - decibels(key - 1, drawbar)
          #expect(drawbar < 4 ? rise > -1e-9 : rise < 1e-9)
        }
      }
      // In the middle all are alike.
      #expect(abs(decibels(30, drawbar)) < 1e-9)
    }
    #expect(abs(decibels(0, 0) + 10) < 1e-9 && abs(decibels(60, 0) - 7) < 1e-9)
    #expect(abs(decibels(0, 4) - 7) < 1e-9 && abs(decibels(60, 8) + 7) < 1e-9)
  }

  @Test("The percussion's envelope falls by 60 dB in 1 or 4 s, and recovers when no key is held")
  func percussion() {
    for (isFast, seconds) in [(true, 1), (false, 4)] {
      var envelope = PercussionEnvelope(sampleRate: 48_000)
      envelope.follow(isHeld: true, isFast: isFast)
      #expect(envelope.next() == 1)
      for _ in 1..<(seconds * 48_000) { _ = envelope.next() }
      #expect(abs(20 * log10(envelope.next()) + 60) < 1e-6)
      // Another key does not begin it again, and too short a rest does so only in part.
      envelope.follow(isHeld: true, isFast: isFast)
      #expect(envelope.next() < 0.001)
      envelope.follow(isHeld: false, isFast: isFast)
      envelope.rest(720)
      envelope.follow(isHeld: true, isFast: isFast)
      #expect(abs(envelope.next() - (1 - exp(-1))) < 0.001)
      envelope.follow(isHeld: false, isFast: isFast)
      envelope.rest(48_000)
      envelope.follow(isHeld: true, isFast: isFast)
      #expect(abs(envelope.next() - 1) < 1e-9)
    }
  }
}
