internal import CCsound

extension CsoundGeneratorRegistry {
  /// Csound 7 takes GEN routines from plugins only, and has no function through which a host could add them. Fails if
  /// there are some. Stands for the function of Generator+Host.swift.
  public func install() {
    precondition(
      list.pointee.name == nil,
      "Csound 7 takes GEN routines from plugins only; build a plugin of this library.")
  }
}
