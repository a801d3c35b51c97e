import Foundation
import Linting

extension Probe {
  /// An audio vector of Csound, and the memory that replaces it.
  final class Vector {
    private let own: UnsafeMutablePointer<Double>
    private let number: Int
    private let isOutput: Bool
    /// Whether it is an input and an output at the same time.
    var isShared = false
    private let count: Int
    private let region: UnsafeMutableRawPointer
    private let bytes: Int
    private static let page = Int(sysconf(Int32(_SC_PAGESIZE)))
    private static let margin = 8
    /// A quiet NaN that no computation produces.
    static let marker = Probe.unwritten

    init(_ own: UnsafeMutableRawPointer, ksmps: Int, _ number: Int, isOutput: Bool) {
      self.own = own.assumingMemoryBound(to: Double.self)
      self.number = number
      self.isOutput = isOutput
      count = ksmps
      bytes = (8 * (ksmps + 2 * Self.margin + 1) + Self.page - 1) / Self.page * Self.page
      guard
        let mapped = mmap(
          nil, bytes + Self.page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
        mapped != MAP_FAILED
      else {
        // An exit code of its own, because a crash here would be taken for a crash of the opcode.
        Probe.endForLackOfMemory()
      }
      region = mapped
      mprotect(region + bytes, Self.page, PROT_NONE)
    }

    deinit { munmap(region, bytes + Self.page) }

    /// The address of the samples. The word before them is Csound's pointer to their type.
    func start(in vectors: Settings.Vectors) -> UnsafeMutableRawPointer {
      let behind = vectors == .atPageEnd ? 0 : 8 * Self.margin
      let start = region + (bytes - behind - 8 * count)
      (start - 8).assumingMemoryBound(to: UInt.self).pointee =
        UnsafeRawPointer(own).assumingMemoryBound(to: UInt.self)[-1]
      samples = start.assumingMemoryBound(to: Double.self)
      return start
    }

    private var samples: UnsafeMutablePointer<Double>!

    private func isMarker(_ index: Int) -> Bool {
      samples[index].bitPattern == Self.marker.bitPattern
    }

    func fill(ksmps: Int, in vectors: Settings.Vectors) {
      let isMarked = vectors == .marked
      for index in 0..<count {
        samples[index] = isMarked && isOutput && !isShared ? Self.marker : own[index]
      }
      guard isMarked else { return }
      // With a local ksmps, the block is shorter than the vector.
      if isOutput || isShared {
        for index in ksmps..<max(ksmps, count) { samples[index] = Self.marker }
      }
      for index in count..<count + Self.margin { samples[index] = Self.marker }
      // The word before the samples holds their type.
      for index in -Self.margin..<(-1) { samples[index] = Self.marker }
    }

    func check(ksmps: Int, _ audible: Range<Int>, _ take: NoteTake, _ plan: CallPlan) {
      let name = isOutput ? "output \(number + 1)" : plan.name(number)
      let behindStart = isOutput || isShared ? ksmps : count
      for index in behindStart..<count + Self.margin where !isMarker(index) {
        take.note(
          .wroteBehind,
          "it writes after the end of \(name): into sample \(index) of a block of \(ksmps)")
      }
      let type = UnsafeRawPointer(samples).assumingMemoryBound(to: UInt.self)[-1]
      let ownType = UnsafeRawPointer(own).assumingMemoryBound(to: UInt.self)[-1]
      if type != ownType || (-Self.margin..<(-1)).contains(where: { !isMarker($0) }) {
        take.note(.wroteBefore, "it writes before the first sample of \(name)")
        UnsafeMutableRawPointer(samples).assumingMemoryBound(to: UInt.self)[-1] = ownType
      }
      guard isOutput else {
        if !isShared,
          let index = (0..<ksmps).first(where: { samples[$0].bitPattern != own[$0].bitPattern })
        {
          take.note(.changedInput, "its performance changes its \(name), first sample \(index)")
        }
        return
      }
      guard !isShared else { return }
      for index in 0..<ksmps {
        if audible.contains(index) {
          if isMarker(index) {
            take.note(
              .notWritten,
              "it leaves sample \(index) of \(name) unwritten in a block of \(ksmps)"
                + (audible.count == ksmps ? "" : " whose frames are \(audible)"))
          }
        } else if samples[index] != 0 {
          let found = isMarker(index) ? "not written" : "\(samples[index])"
          take.note(
            index < audible.lowerBound ? .beforeStart : .afterEnd,
            "sample \(index) of \(name) is \(found) in a block whose frames are \(audible); it must be"
              + " 0")
        }
      }
    }

    /// Copies the written samples to Csound's vector, which other opcodes read.
    func giveBack(ksmps: Int) {
      guard isOutput || isShared else { return }
      for index in 0..<min(ksmps, count) {
        own[index] = isMarker(index) ? 0 : samples[index]
      }
    }
  }
}
