import Foundation
import HarnessBase
import Rendering

extension Profiler {
  /// The fewest and the most rounds of a comparison, and the seconds after which there are no more.
  static let comparedRounds = 7...15
  static let comparedPatience = 90.0

  /// Times two pieces in turns, until the change of the whole is known or patience is at an end.
  package func compare(
    _ now: Orchestra, against before: Orchestra, limit: Double?, threshold: Double,
    progress: @escaping @Sendable (_ render: Int, _ seconds: Double) -> Void = { _, _ in }
  ) throws(Failure) -> (comparison: ProfileComparison, profile: Profile, wasCutOff: Bool) {
    var takes: [[(plain: ProfileTake, traced: ProfileTake)]] = [[], []]
    let start = Date()
    while true {
      let number = takes[0].count
      for (index, orchestra) in [before, now].enumerated() {
        takes[index].append(
          try round(orchestra, limit, number) {
            progress(2 * (number + index) + $0, $1)
          })
      }
      let profiles = [before, now].indices.map { index in
        Profile(
          [before, now][index], plain: takes[index].map(\.plain), traced: takes[index].map(\.traced)
        )
      }
      let comparison = ProfileComparison(
        try .init(profiles[0]), try .init(profiles[1]), isPaired: true, threshold: threshold)
      let isEnough =
        pairs.map { number + 1 >= $0 }
        ?? (number + 1 >= Self.comparedRounds.lowerBound
          && (comparison.whole.verdict != .tooNoisy
            || number + 1 >= Self.comparedRounds.upperBound
            || Date().timeIntervalSince(start) > Self.comparedPatience))
      if isEnough {
        return (comparison, profiles[1], takes.contains { $0[0].plain.wasCutOff })
      }
    }
  }

  /// Compares a profile with an earlier one, which must have been made in the same way.
  func compare(
    _ profile: Profile, with before: ProfileComparison.Costs, threshold: Double
  ) throws(Failure) -> ProfileComparison {
    let now =
      if let counted = profile.counted { ProfileComparison.Costs(counted) } else {
        try ProfileComparison.Costs(profile)
      }
    return ProfileComparison(before, now, isPaired: false, threshold: threshold)
  }
}
