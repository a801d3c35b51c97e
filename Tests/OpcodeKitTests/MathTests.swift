import Foundation
import OpcodeKit
import Testing

@Suite("Toolbox: mathematical functions")
struct MathTests {
  /// Each function of one number, what it is in 64-bit precision, and the exponents of ten of its arguments.
  static let functions:
    [(
      name: String, found: @Sendable (Double) -> Double, exact: @Sendable (Float80) -> Float80,
      from: Double, to: Double
    )] = [
      ("exp", { Math.exp($0) }, { expl($0) }, -20, 2.8),
      ("exp2", { Math.exp2($0) }, { exp2l($0) }, -20, 3),
      ("expm1", { Math.expm1($0) }, { expm1l($0) }, -300, 2.8),
      ("tanh", { Math.tanh($0) }, { tanhl($0) }, -300, 2),
      ("sinh", { Math.sinh($0) }, { sinhl($0) }, -300, 2.8),
      ("cosh", { Math.cosh($0) }, { coshl($0) }, -300, 2.8),
      ("asinh", { Math.asinh($0) }, { asinhl($0) }, -300, 300),
      ("sin", { Math.sin($0) }, { sinl($0) }, -300, 6),
      ("cos", { Math.cos($0) }, { cosl($0) }, -300, 6),
      ("tan", { Math.tan($0) }, { tanl($0) }, -300, 6),
      ("atan", { Math.atan($0) }, { atanl($0) }, -300, 300),
      ("asin", { Math.asin($0) }, { asinl($0) }, -300, -0.3),
      ("acos", { Math.acos($0) }, { acosl($0) }, -300, -0.3),
      ("atanh", { Math.atanh($0) }, { atanhl($0) }, -300, -0.3),
      ("cbrt", { Math.cbrt($0) }, { cbrtl($0) }, -300, 300),
      ("erf", { Math.erf($0) }, { erfl($0) }, -300, 1),
      ("erfc", { Math.erfc($0) }, { erfcl($0) }, -20, 1),
      ("log of the magnitude", { Math.log($0.magnitude) }, { logl($0.magnitude) }, -300, 300),
      ("log2 of the magnitude", { Math.log2($0.magnitude) }, { log2l($0.magnitude) }, -300, 300),
      ("log10 of the magnitude", { Math.log10($0.magnitude) }, { log10l($0.magnitude) }, -300, 300),
      ("log1p of the magnitude", { Math.log1p($0.magnitude) }, { log1pl($0.magnitude) }, -300, 300),
      (
        "sqrt of the magnitude", { Math.sqrt($0.magnitude) }, { $0.magnitude.squareRoot() }, -300,
        300
      ),
      ("acosh from 1 on", { Math.acosh(1 + $0.magnitude) }, { acoshl(1 + $0.magnitude) }, -5, 300),
      ("tgamma", { Math.tgamma($0.magnitude) }, { tgammal($0.magnitude) }, -10, 2),
    ]

  @Test(
    "Each function is within 6 ulp of its value in 64-bit precision", arguments: functions.indices)
  func precise(index: Int) {
    let (name, found, exact, low, high) = Self.functions[index]
    var worst = 0.0
    for x in VectorTests.numbers(from: low, to: high, perDecade: 23) {
      let value = exact(Float80(x))
      // Near a zero of log of 1 + x and of acosh the argument itself is rounded.
      if name == "acosh from 1 on", Float80(1 + x.magnitude) != 1 + Float80(x.magnitude) {
        continue
      }
      worst = max(worst, VectorTests.ulps(found(x), from: value))
    }
    #expect(worst < 6, "\(name)")
  }

  @Test("Functions of two numbers, and rounding")
  func others() {
    for (x, y) in [(3.0, 4.0), (-3, 4), (1e300, 1e300), (-7.5, -2), (0.3, -0.0)] {
      #expect(
        Math.pow(x.magnitude, y / 1e298 < 1 ? y : 1)
          == Foundation.pow(x.magnitude, y / 1e298 < 1 ? y : 1))
      let length = Foundation.hypot(x, y)
      #expect(abs(Math.hypot(x, y) - length) <= 2 * length.ulp)
      #expect(Math.atan2(y, x) == Foundation.atan2(y, x))
      #expect(Math.fmod(x, 1.7) == Foundation.fmod(x, 1.7))
      #expect(Math.remainder(x, 1.7) == Foundation.remainder(x, 1.7))
    }
    #expect(Math.hypot(0, -0.0) == 0 && Math.hypot(-.infinity, 1) == .infinity)
    #expect(Math.hypot(.nan, 1).isNaN && Math.hypot(1, .nan).isNaN)
    #expect(Math.atan2(1, 0) == Double.pi / 2 && Math.hypot(3, 4) == 5 && Math.exp10(3) == 1000)
    for x in [-2.5, -0.5, 0.5, 1.5, 2.7] {
      #expect(Math.floor(x) == x.rounded(.down) && Math.ceil(x) == x.rounded(.up))
      #expect(Math.trunc(x) == x.rounded(.towardZero) && Math.round(x) == x.rounded())
    }
  }

  @Test("log2, log, dB and 2^x of vectors are within their stated errors, in Pair, Quad and Lanes")
  func vectors() {
    var (logarithm, natural, power) = (0.0, 0.0, 0.0)
    for x in VectorTests.numbers(from: -300, to: 300, perDecade: 23).map(abs) {
      let exact = log2l(Float80(x))
      logarithm = max(
        logarithm, VectorTests.ulps(Pair(x).log2[1], from: exact),
        VectorTests.ulps(Lanes(x).log2[6], from: exact))
      natural = max(natural, VectorTests.ulps(Quad(x).log[2], from: logl(Float80(x))))
      #expect(abs(Lanes(x).decibels[0] - 20 * log10(x)) < 1e-12 * max(1, abs(20 * log10(x))))
    }
    for x in VectorTests.numbers(from: -20, to: 2.78, perDecade: 97) {
      let exact = exp2l(Float80(x))
      power = max(
        power, VectorTests.ulps(Pair(x).exp2[0], from: exact),
        VectorTests.ulps(Lanes(x).exp2[7], from: exact))
    }
    #expect(logarithm < 5 && natural < 6 && power < 2, "\(logarithm) \(natural) \(power)")
    #expect(Quad(3).exp2[1] == 8 && Quad(0.125).log2[3] == -3)
    for level in stride(from: -600.0, through: 600, by: 7.7) {
      #expect(abs(Quad(level).amplitude[0] / pow(10, level / 20) - 1) < 1e-13)
    }
  }

  @Test("Sines and cosines of cycles are within 7e-14, for any phase")
  func cycles() {
    for x in stride(from: -0.5, through: 0.5, by: 0.00137) {
      let angle = 2 * Float80.pi * Float80(x)
      #expect(
        abs(Float80(Pair(x).sineOfCycles[0]) - sinl(angle)) <= 6.6e-14 * abs(sinl(angle)) + 1e-17)
      #expect(abs(Float80(Lanes(x).cosineOfCycles[3]) - cosl(angle)) <= 7e-14)
    }
    for whole in [1.0, -7, 1000, 1e9] {
      #expect(abs(Quad(whole + 0.25).sineOfCycles[0] - 1) < 1e-13)
      #expect(abs(Quad(whole + 0.5).cosineOfCycles[0] + 1) < 1e-13)
    }
    #expect(Pair(.nan).sineOfCycles[0].isNaN)
  }
}
