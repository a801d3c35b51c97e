// The mix from the terminals of a tone generator to the organ's outputs.

import OpcodeKit

/// The outputs that a contact's signal can go to.
package enum OrganOutput: Int, BitwiseCopyable {
  case upper, lower, pedals, percussion

  static let count = 4

  /// The output of a drawbar; drawbars are numbered across all manuals.
  init(ofDrawbar drawbar: Int) { self = drawbar < 9 ? .upper : drawbar < 18 ? .lower : .pedals }
}

/// A terminal that is mixed into an output: its present gain, and its change per frame.
struct OrganRoute: BitwiseCopyable {
  var terminal = 0
  var gain = 0.0
  var slope = 0.0
}

/// A drawbar's gain, and its fade to a target.
struct OrganLevel: BitwiseCopyable {
  var gain = 0.0
  var slope = 0.0
  var target = 0.0
}

/// The sum of all closed contacts: one gain for each terminal and output, however many keys are held.
struct OrganRoutes: BitwiseCopyable {
  private let sums: Buffer<Pair>
  private let routes: Buffer<OrganRoute>
  private let counts: Buffer<Int>
  private let levels: Buffer<OrganLevel>
  /// Frames left of the drawbars' fade.
  private(set) var fadeFrames = 0
  /// The drawbar that feeds the percussion, -1 for none, and its gain.
  private(set) var percussionDrawbar = -1
  private(set) var percussionGain = 0.0

  init(_ context: Context) throws(OpcodeError) {
    let count = OrganOutput.count * ToneWheel.count
    sums = try context.buffer(7, of: Pair.self, count: count)
    routes = try context.buffer(8, of: OrganRoute.self, count: count)
    counts = try context.buffer(9, of: Int.self, count: OrganOutput.count)
    levels = try context.buffer(10, of: OrganLevel.self, count: OrganManual.allDrawbars)
  }

  /// A drawbar's gain and its change per frame.
  @inline(__always)
  func level(_ drawbar: Int) -> OrganLevel { levels[drawbar] }

  func setTarget(_ drawbar: Int, _ gain: Double) { levels[drawbar].target = gain }

  mutating func setPercussion(drawbar: Int, gain: Double) {
    (percussionDrawbar, percussionGain) = (drawbar, gain)
  }

  /// Fades the drawbars to their targets in a number of frames; 0 sets them at once.
  mutating func fade(in frames: Int) {
    fadeFrames = frames
    for drawbar in 0..<levels.count {
      var level = levels[drawbar]
      level.slope = frames > 0 ? (level.target - level.gain) / Double(frames) : 0
      if frames == 0 { level.gain = level.target }
      levels[drawbar] = level
    }
  }

  /// Adds up the gains of the closed contacts.
  func build(_ contacts: OrganContacts) {
    for index in 0..<sums.count { sums[index] = Pair(0) }
    let (sums, levels) = (sums, levels)
    let (percussionDrawbar, percussionGain) = (percussionDrawbar, percussionGain)
    contacts.forEachClosed { contact in
      let level = levels[contact.drawbar]
      let place =
        OrganOutput(ofDrawbar: contact.drawbar).rawValue * ToneWheel.count + contact.terminal
      sums[place] = sums[place] + Pair(contact.taper) * Pair(level.gain, level.slope)
      if contact.drawbar == percussionDrawbar {
        let place = OrganOutput.percussion.rawValue * ToneWheel.count + contact.terminal
        sums[place] = sums[place] + Pair(contact.taper * percussionGain, 0)
      }
    }
    for output in 0..<OrganOutput.count {
      let first = output * ToneWheel.count
      var count = 0
      for terminal in 0..<ToneWheel.count {
        let sum = sums[first + terminal]
        if sum[0] == 0 && sum[1] == 0 { continue }
        routes[first + count] = OrganRoute(terminal: terminal, gain: sum[0], slope: sum[1])
        count += 1
      }
      counts[output] = count
    }
  }

  /// Eight frames of an output, from the generator's present block. `frames` are the frame numbers relative to now;
  /// only those from 0 on are valid.
  @inline(__always) @_semantics("no_performance_analysis")
  func mix(_ output: OrganOutput, _ generator: ToneGenerator, _ frames: Lanes) -> Lanes {
    let first = output.rawValue * ToneWheel.count
    let last = first + counts[output.rawValue]
    var sum = Lanes(0)
    if _fastPath(fadeFrames == 0) {
      for index in first..<last {
        let route = routes[index]
        sum = sum + generator.terminal(route.terminal) * Lanes(route.gain)
      }
    } else {
      for index in first..<last {
        let route = routes[index]
        let gain = Lanes(route.gain) + Lanes(route.slope) * frames
        sum = sum + generator.terminal(route.terminal) * gain
      }
    }
    return sum
  }

  /// Advances by a number of frames, at most those left of the fade; returns whether the fade has ended.
  mutating func advance(by frames: Int) -> Bool {
    guard fadeFrames > 0 else { return false }
    fadeFrames -= frames
    guard fadeFrames > 0 else {
      fade(in: 0)
      return true
    }
    for drawbar in 0..<levels.count {
      levels[drawbar].gain += Double(frames) * levels[drawbar].slope
    }
    for output in 0..<OrganOutput.count {
      let first = output * ToneWheel.count
      for index in first..<(first + counts[output]) {
        routes[index].gain += Double(frames) * routes[index].slope
      }
    }
    return false
  }
}
