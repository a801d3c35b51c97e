// Opcodes in several versions, as if their author had saved them again and again. A version is a kind of each opcode.

public import OpcodeKit

/// What a version changes in its opcodes.
protocol Version {
  /// State that the first version has not.
  associatedtype More: MoreState = NoMore
  /// DRIFT's state.
  associatedtype Drifting: DriftState = Drifted.State
  /// A factor of what is heard, and STEPS's direction.
  static var gain: Double { get }
  static var direction: Double { get }
  /// What ONCE gives.
  static var number: Double { get }
  /// Whether ECHOES refuses to begin.
  static var fails: Bool { get }
}

extension Version {
  static var gain: Double { 1 }
  static var direction: Double { 1 }
  static var number: Double { 1 }
  static var fails: Bool { false }
}

protocol MoreState: BitwiseCopyable { init() }
struct NoMore: MoreState {}
struct OneMore: MoreState { private var more = 0.0 }
struct ThreeMore: MoreState { private var more = (0.0, 0.0, 0.0) }

/// A version of a library whose opcodes are ECHOES, DRIFT, STEPS, TALLY and ONCE.
public enum FirstVersion: OpcodeLibrary, Version {
  public static func registerOpcodes(in registry: inout some OpcodeRegistry) {
    registerEchoes(FirstVersion.self, in: &registry)
    registerDrift(FirstVersion.self, in: &registry)
    registerSteps(FirstVersion.self, in: &registry)
    registerTally(FirstVersion.self, in: &registry)
    registerOnce(FirstVersion.self, in: &registry)
  }
}

/// The same code once more, elsewhere in memory.
public enum SameVersion: OpcodeLibrary, Version {
  public static func registerOpcodes(in registry: inout some OpcodeRegistry) {
    registerEchoes(SameVersion.self, in: &registry)
    registerDrift(SameVersion.self, in: &registry)
    registerSteps(SameVersion.self, in: &registry)
    registerTally(SameVersion.self, in: &registry)
    registerOnce(FirstVersion.self, in: &registry)
  }
}

/// Other code, the same state: audio is half as loud, STEPS goes down.
public enum SofterVersion: OpcodeLibrary, Version {
  static var gain: Double { 0.5 }
  static var direction: Double { -1 }
  static var number: Double { 2 }

  public static func registerOpcodes(in registry: inout some OpcodeRegistry) {
    registerEchoes(SofterVersion.self, in: &registry)
    registerDrift(SofterVersion.self, in: &registry)
    registerSteps(SofterVersion.self, in: &registry)
    registerTally(SameVersion.self, in: &registry)
    registerOnce(SofterVersion.self, in: &registry)
  }
}

/// Other state.
public enum WiderVersion: OpcodeLibrary, Version {
  typealias More = ThreeMore
  typealias Drifting = Turned.State

  public static func registerOpcodes(in registry: inout some OpcodeRegistry) {
    registerEchoes(WiderVersion.self, in: &registry)
    registerDrift(WiderVersion.self, in: &registry)
    registerSteps(WiderVersion.self, in: &registry)
    registerTally(WiderVersion.self, in: &registry)
    registerOnce(FirstVersion.self, in: &registry)
  }
}

/// Whose new state cannot be set up.
public enum FailingVersion: OpcodeLibrary, Version {
  typealias More = OneMore
  static var fails: Bool { true }

  public static func registerOpcodes(in registry: inout some OpcodeRegistry) {
    registerEchoes(FailingVersion.self, in: &registry)
    registerDrift(FirstVersion.self, in: &registry)
    registerSteps(FirstVersion.self, in: &registry)
    registerTally(FirstVersion.self, in: &registry)
    registerOnce(FirstVersion.self, in: &registry)
  }
}

/// With one opcode more, one less, and one that is called in another way.
public enum OtherVersion: OpcodeLibrary, Version {
  static var number: Double { 3 }

  public static func registerOpcodes(in registry: inout some OpcodeRegistry) {
    registerEchoes(FirstVersion.self, in: &registry)
    registerDrift(FirstVersion.self, in: &registry)
    registerStepsBetween(in: &registry)
    registerTally(FirstVersion.self, in: &registry)
    registerOnce(OtherVersion.self, in: &registry)
  }
}
