// Structs of Csound 7 for the opcodes of Tests/TestPlugin/Structs.swift: a struct and its opcodes can be in two modules.

import OpcodeKit

@CsoundStruct
public struct KitPoint {
  public let x, y: ControlInput
}

@CsoundStruct
public struct KitSignal {
  public let signal: AudioInput
}

@CsoundStruct
public struct KitVoice {
  public let signal: AudioInput
  public let gain: ControlInput
  public let name: StringInput
  public let number: InitInput
  public let place: StructInput<KitPoint>
  public let levels: ArrayInput<ControlInput>
  public let points: ArrayInput<StructInput<KitPoint>>
  public let channels: ArrayInput<AudioInput>
  public let inner: StructInput<KitSignal>
  public let signals: ArrayInput<StructInput<KitSignal>>
}

@CsoundStruct
public struct KitSpectrum {
  public let spectrum: SpectrumInput
}

/// Not registered: an orchestra declares it.
@CsoundStruct
public struct KitInner {
  public let size: ControlInput
}

/// Not registered either.
@CsoundStruct
public struct KitOwn {
  public let level: ControlInput
  public let place: StructInput<KitPoint>
  public let inner: StructInput<KitInner>
}
