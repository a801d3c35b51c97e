import Foundation
import OpcodeKit
import Testing

@Suite("HalfTurn")
struct HalfTurnTests {
  /// x, sin(π x) and cos(π x) to 25 digits.
  static let values: [(Double, Double, Double)] = [
    (1e-9, 3.141592653589793428958321e-9, 0.9999999999999999950651978),
    (2.0833333333333335e-05, 6.544984690305964064237134e-5, 0.9999999978581587678892853),
    (0.001, 0.003141587485879563417330439, 0.9999950652018581661116394),
    (0.02, 0.06279051952931337738154797, 0.9980267284282715618702099),
    (0.07, 0.218143241396542572447369, 0.9759167619387473943923864),
    (0.125, 0.38268343236508977172846, 0.9238795325112867561281832),
    (0.2, 0.5877852522924731573861548, 0.8090169943749474036011168),
    (0.25, 0.7071067811865475244008444, 0.7071067811865475244008444),
    (0.3, 0.8090169943749474036011168, 0.5877852522924731573861548),
    (0.37, 0.9177546256839811356048054, 0.3971478906347806265584072),
    (0.41, 0.9602936856769430503442144, 0.278991106039229325539569),
    (0.45, 0.9876883405951377316462687, 0.1564344650402308345608348),
    (0.49, 0.9995065603657315561242381, 0.03141075907812832172836324),
    (0.499, 0.9999950652018581661030789, 0.003141587485879566142214256),
    (0.49999, 0.9999999995065197799851321, 3.141592653076163832424604e-5),
  ]

  @Test("Sine, cosine and tangent have their stated error")
  func values() {
    for (x, sine, cosine) in Self.values {
      let tangent = HalfTurn.tangent(x)
      #expect(abs(tangent.top - sine) <= 7e-14 * sine)
      #expect(abs(tangent.bottom - cosine) <= 1.5e-14 * cosine)
      #expect(abs(tangent.value - sine / cosine) <= 8e-14 * sine / cosine)
    }
  }

  @Test("The ratio has its stated error, for any vector")
  func ratio() {
    for (x, sine, cosine) in Self.values {
      let (top, bottom) = HalfTurn.ratio(Pair(x))
      let tangent = sine / cosine
      #expect(abs(top[1] / bottom[1] - tangent) <= 6e-15 * tangent)
      let (tops, bottoms) = HalfTurn.ratio(Lanes(x))
      #expect(tops[7] == top[0] && bottoms[7] == bottom[0])
    }
    let (top, bottom) = HalfTurn.ratio(Pair(0, 0.5))
    #expect(top[0] == 0 && bottom[0] == 1 && bottom[1] == 0 && top[1] > 0)
  }

  @Test("Two at once are the same as one, within a rounding")
  func pairs() {
    for x in stride(from: 0.0, through: 0.5, by: 0.5 / 1024) {
      let (sines, cosines) = (HalfTurn.sine(Pair(x, 0.5 - x)), HalfTurn.cosine(Pair(0.5 - x, x)))
      let tangent = HalfTurn.tangent(x)
      #expect(sines[0] == tangent.top && cosines[1] == tangent.bottom)
      #expect(abs(sines[1] - tangent.bottom) < 1e-13 && abs(cosines[0] - tangent.top) < 1e-13)
    }
  }

  @Test("At the ends it is 0, and 1 within its error")
  func ends() {
    #expect(HalfTurn.tangent(0).top == 0 && HalfTurn.tangent(0.5).bottom == 0)
    #expect(abs(HalfTurn.tangent(0).bottom - 1) < 1e-14)
    #expect(abs(HalfTurn.tangent(0.5).top - 1) < 1e-13)
  }
}
