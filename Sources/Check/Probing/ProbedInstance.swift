import CCsound
import Foundation
import Linting

extension Probe {
  /// One instance (block) of the opcode in an engine, with the memory that replaces its buffers.
  final class Instance {
    let block: UnsafeMutableRawPointer
    var take: NoteTake
    /// The opcode's own performance function, which the probe has replaced.
    var function: PassFunction?
    /// The opcode's own deinit function, which the probe has replaced.
    var deinitialize: PassFunction?
    var cycle: UInt64 = 0
    /// The start of its note (p2), in seconds.
    var start = 0.0
    private let plan: CallPlan
    private let settings: Settings
    private let ksmps: Int
    private let blockBytes: Int
    private var vectors: [Vector] = []
    private var isPrepared = false

    init(
      _ block: UnsafeMutableRawPointer, _ plan: CallPlan, _ settings: Settings, ksmps: Int,
      blockBytes: Int, _ take: NoteTake
    ) {
      self.block = block
      self.plan = plan
      self.settings = settings
      self.ksmps = ksmps
      self.blockBytes = blockBytes
      self.take = take
    }

    // MARK: The block

    private typealias Slot = UnsafeMutablePointer<UnsafeMutableRawPointer?>

    private var arguments: Slot {
      (block + MemoryLayout<OPDS>.size).assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
    }
    private func output(_ index: Int) -> UnsafeMutableRawPointer? { arguments[index] }
    private func input(_ index: Int) -> UnsafeMutableRawPointer? {
      arguments[plan.firstInput + index]
    }

    /// The number of bytes compared after the block; they belong to the next opcode's block.
    private static let behind = 48
    private var behind: [UInt8] = []

    private func rememberBehind() {
      behind = Array(
        UnsafeRawBufferPointer(start: block + blockBytes, count: Self.behind))
    }

    private func checkBehind(_ pass: String) {
      let now = UnsafeRawBufferPointer(start: block + blockBytes, count: Self.behind)
      guard !now.elementsEqual(behind) else { return }
      let first = zip(now, behind).enumerated().first { $1.0 != $1.1 }!.offset
      take.note(
        .overranBlock,
        "its \(pass) writes beyond its own block: \(first) bytes behind the \(blockBytes) bytes"
          + " it registered")
    }

    func beforeInit() {
      if settings.vectors != .own { prepare() }
      markArrays()
      rememberInputs()
      rememberBehind()
    }

    func afterInit() {
      checkBehind("init pass")
      checkInputs("init pass")
      unmarkArrays("init pass")
      for (index, item) in plan.outputs.enumerated() where item.rate == .i || item.rate == .S {
        keep(values(index, item, 0..<1), in: &take.initOutputs[index], index, item)
      }
    }

    func before(ksmps: Int) {
      if settings.vectors != .own {
        prepare()
        for vector in vectors { vector.fill(ksmps: ksmps, in: settings.vectors) }
      }
      markArrays()
      markControls()
      rememberInputs()
      rememberBehind()
    }

    func after(ksmps: Int, _ audible: Range<Int>) {
      checkBehind("performance")
      checkInputs("performance")
      unmarkArrays("performance")
      unmarkControls()
      if settings.vectors == .marked {
        for vector in vectors { vector.check(ksmps: ksmps, audible, take, plan) }
      }
      for vector in vectors { vector.giveBack(ksmps: ksmps) }
      for (index, item) in plan.outputs.enumerated() {
        let new = values(index, item, audible)
        guard settings.keepsOutputs || new.contains(where: { $0.contains { !$0.isFinite } }) else {
          continue
        }
        keep(new, in: &take.outputs[index], index, item)
      }
    }

    // MARK: Audio vectors in the probe's memory

    /// Replaces the pointers to audio vectors, once per block.
    private func prepare() {
      guard !isPrepared else { return }
      isPrepared = true
      var byAddress: [UnsafeMutableRawPointer: Vector] = [:]
      func replace(_ index: Int, isOutput: Bool, number: Int) {
        guard let own = arguments[index] else { return }
        let vector =
          byAddress[own] ?? Vector(own, ksmps: ksmps, number, isOutput: isOutput)
        if byAddress[own] != nil { vector.isShared = true }
        byAddress[own] = vector
        if !vectors.contains(where: { $0 === vector }) { vectors.append(vector) }
        arguments[index] = vector.start(in: settings.vectors)
      }
      for (index, item) in plan.outputs.enumerated() where item.rate == .a && !item.isArray {
        replace(index, isOutput: true, number: index)
      }
      for (index, item) in plan.inputs.enumerated() where item.rate == .a && !item.isArray {
        replace(plan.firstInput + index, isOutput: false, number: index)
      }
    }

    // MARK: Control outputs

    private var controls: [(index: Int, old: Double)] = []

    private func markControls() {
      guard settings.vectors == .marked else { return }
      let inputs = plan.inputs.indices.map { input($0) }
      controls = plan.outputs.indices.compactMap { index in
        let item = plan.outputs[index]
        guard item.rate == .k, !item.isArray, let pointer = output(index),
          !inputs.contains(pointer)
        else { return nil }
        let value = pointer.assumingMemoryBound(to: Double.self)
        defer { value.pointee = Vector.marker }
        return (index, value.pointee)
      }
    }

    private func unmarkControls() {
      for (index, old) in controls {
        let value = output(index)!.assumingMemoryBound(to: Double.self)
        guard value.pointee.bitPattern == Vector.marker.bitPattern else { continue }
        value.pointee = old
        take.note(.controlNotWritten, "it leaves output \(index + 1) unwritten in a block")
      }
    }

    // MARK: Input arrays with marks on both sides

    private struct MarkedArray {
      var array: UnsafeMutablePointer<ARRAYDAT>
      var own: UnsafeMutablePointer<Double>
      var memory: UnsafeMutablePointer<Double>
      var count: Int
      var index: Int
    }

    private var arrays: [MarkedArray] = []
    private static let arrayMargin = 64

    private func markArrays() {
      guard settings.vectors == .marked else { return }
      let outputs = plan.outputs.indices.map { output($0) }
      for index in plan.inputs.indices where plan.inputs[index].isArray {
        guard plan.inputs[index].rate != .S, let pointer = input(index),
          !outputs.contains(pointer), let count = bytes(index).map({ $0.count / 8 })
        else { continue }
        let array = pointer.assumingMemoryBound(to: ARRAYDAT.self)
        let own = array.pointee.data!
        let memory = UnsafeMutablePointer<Double>.allocate(
          capacity: count + 2 * Self.arrayMargin)
        memory.initialize(repeating: settings.surroundings, count: count + 2 * Self.arrayMargin)
        (memory + Self.arrayMargin).update(from: own, count: count)
        array.pointee.data = memory + Self.arrayMargin
        arrays.append(
          MarkedArray(array: array, own: own, memory: memory, count: count, index: index))
      }
    }

    private func unmarkArrays(_ pass: String) {
      for item in arrays {
        let margins = [
          0..<Self.arrayMargin, item.count + Self.arrayMargin..<item.count + 2 * Self.arrayMargin,
        ]
        for place in margins.joined()
        where item.memory[place].bitPattern != settings.surroundings.bitPattern {
          take.note(
            .wroteBehind,
            "its \(pass) writes beyond the \(item.count.counted("element")) of \(plan.name(item.index))"
          )
        }
        item.own.update(from: item.memory + Self.arrayMargin, count: item.count)
        item.array.pointee.data = item.own
        item.memory.deallocate()
      }
      arrays = []
    }

    // MARK: Inputs must stay as they are

    private var remembered: [(index: Int, bytes: [UInt8])] = []

    private func bytes(_ index: Int) -> UnsafeRawBufferPointer? {
      guard let pointer = input(index) else { return nil }
      let item = plan.inputs[index]
      if item.isArray {
        let array = pointer.assumingMemoryBound(to: ARRAYDAT.self).pointee
        guard item.rate != .S, let data = array.data, array.dimensions > 0 else { return nil }
        var count = Int(array.arrayMemberSize)
        for dimension in 0..<Int(array.dimensions) { count *= Int(array.sizes[dimension]) }
        return UnsafeRawBufferPointer(start: data, count: count)
      }
      switch item.rate {
      case .a:
        guard settings.vectors == .own else { return nil }
        return UnsafeRawBufferPointer(start: pointer, count: 8 * ksmps)
      case .k, .i: return UnsafeRawBufferPointer(start: pointer, count: 8)
      case .S:
        let text = pointer.assumingMemoryBound(to: STRINGDAT.self).pointee
        guard let data = text.data else { return nil }
        return UnsafeRawBufferPointer(start: data, count: strlen(data) + 1)
      case .f: return nil
      }
    }

    private func rememberInputs() {
      remembered = []
      let outputs = plan.outputs.indices.map { output($0) }
      for index in plan.inputs.indices where !outputs.contains(input(index)) {
        // An opcode without outputs changes the arrays that it is given.
        if plan.outputs.isEmpty, plan.inputs[index].isArray { continue }
        if let bytes = bytes(index) { remembered.append((index, Array(bytes))) }
      }
    }

    private func checkInputs(_ pass: String) {
      for (index, old) in remembered {
        guard let now = bytes(index), !now.elementsEqual(old) else { continue }
        take.note(.changedInput, "its \(pass) changes its \(plan.name(index))")
      }
    }

    // MARK: Outputs as numbers

    private func keep(
      _ new: [[Double]], in streams: inout [NoteTake.Stream], _ index: Int,
      _ item: CallPlan.Output
    ) {
      while streams.count < new.count {
        let element = item.isArray ? "[\(streams.count)]" : ""
        streams.append(
          NoteTake.Stream(name: "output \(index + 1)\(element)", isAudio: item.rate == .a))
      }
      for (element, values) in new.enumerated() { streams[element].values += values }
    }

    /// The present values of an output, for each of its elements.
    private func values(
      _ index: Int, _ item: CallPlan.Output, _ audible: Range<Int>
    ) -> [[Double]] {
      guard let pointer = output(index) else { return [] }
      if item.isArray {
        let array = pointer.assumingMemoryBound(to: ARRAYDAT.self).pointee
        guard item.rate != .S, let data = array.data, array.dimensions > 0 else { return [] }
        var count = 1
        for dimension in 0..<Int(array.dimensions) { count *= Int(array.sizes[dimension]) }
        let stride = Int(array.arrayMemberSize) / 8
        let frames = item.rate == .a ? audible : 0..<1
        return (0..<count).map { element in frames.map { data[element * stride + $0] } }
      }
      switch item.rate {
      case .a:
        let samples = pointer.assumingMemoryBound(to: Double.self)
        return [audible.map { samples[$0] }]
      case .k, .i: return [[pointer.assumingMemoryBound(to: Double.self).pointee]]
      case .S:
        guard let text = pointer.assumingMemoryBound(to: STRINGDAT.self).pointee.data else {
          return []
        }
        return [String(cString: text).utf8.map(Double.init) + [0]]
      case .f:
        let spectrum = pointer.assumingMemoryBound(to: PVSDAT.self).pointee
        guard let frame = spectrum.frame.auxp, spectrum.sliding == 0,
          spectrum.framecount != lastFrame
        else { return [] }
        lastFrame = spectrum.framecount
        let bins = frame.assumingMemoryBound(to: Float.self)
        return [(0..<Int(spectrum.N) + 2).map { Double(bins[$0]) }]
      }
    }

    private var lastFrame: UInt32 = 0
  }
}
