// Opcodes in several versions, as if their author had saved them again and again. Each is written out: a version is
// a text.

public import OpcodeKit

/// A version of a library whose opcodes are ECHOES, DRIFT, STEPS, TALLY and ONCE.
public enum FirstVersion: OpcodeLibrary {
  public static func registerOpcodes(in registry: inout some OpcodeRegistry) {
    registerEchoes(in: &registry)
    registerDrift(in: &registry)
    registerSteps(in: &registry)
    registerTally(in: &registry)
    registerOnce(in: &registry)
  }
}

/// The same code once more, elsewhere in memory.
public enum SameVersion: OpcodeLibrary {
  public static func registerOpcodes(in registry: inout some OpcodeRegistry) {
    registerEchoesAgain(in: &registry)
    registerDriftAgain(in: &registry)
    registerStepsAgain(in: &registry)
    registerTallyAgain(in: &registry)
    registerOnce(in: &registry)
  }
}

/// Other code, the same state: audio is half as loud, STEPS goes down.
public enum SofterVersion: OpcodeLibrary {
  public static func registerOpcodes(in registry: inout some OpcodeRegistry) {
    registerEchoesSofter(in: &registry)
    registerDriftSofter(in: &registry)
    registerStepsDown(in: &registry)
    registerTallyAgain(in: &registry)
    registerOnceTwice(in: &registry)
  }
}

/// Other state.
public enum WiderVersion: OpcodeLibrary {
  public static func registerOpcodes(in registry: inout some OpcodeRegistry) {
    registerEchoesWider(in: &registry)
    registerDriftTurned(in: &registry)
    registerStepsWider(in: &registry)
    registerTallyWider(in: &registry)
    registerOnce(in: &registry)
  }
}

/// Whose new state cannot be set up.
public enum FailingVersion: OpcodeLibrary {
  public static func registerOpcodes(in registry: inout some OpcodeRegistry) {
    registerEchoesFailing(in: &registry)
    registerDrift(in: &registry)
    registerSteps(in: &registry)
    registerTally(in: &registry)
    registerOnce(in: &registry)
  }
}

/// With one opcode more, one less, and one that is called in another way.
public enum OtherVersion: OpcodeLibrary {
  public static func registerOpcodes(in registry: inout some OpcodeRegistry) {
    registerEchoes(in: &registry)
    registerDrift(in: &registry)
    registerStepsBetween(in: &registry)
    registerTally(in: &registry)
    registerOnceMore(in: &registry)
  }
}
