internal import CCsound

/// Why an overload cannot be registered. Csound itself would accept each of these and crash, hang
/// or read the wrong memory later.
public enum OverloadProblem: Error, Equatable, Sendable {
  /// The name is not letters, digits and underscores with at most one `.suffix`.
  case name
  /// A type string has a character that is no type letter at this place.
  case typeLetter(UInt8, position: Int)
  /// `Arguments` holds something other than pointers.
  case notPointers(bytes: Int)
  /// `Arguments` and the type strings name different numbers of arguments.
  case argumentCount(inStruct: Int, inTypes: Int)
  /// A field of `Arguments` is of a type that does not go with its type letter.
  case argumentType(position: Int, letter: UInt8)
  /// There is an audio output, but the opcode is no `AudioOpcode`, so nobody would zero the samples
  /// outside the note.
  case audioOutput
  /// The opcode has a performance pass, but it was not given.
  case missingPerformance
  /// The block is larger than Csound can allocate.
  case blockSize(bytes: Int)

  private var sentence: (format: StaticString, first: Int, second: Int) {
    switch self {
    case .name:
      (
        "%s: an opcode's name is a letter, then letters, digits or '_', then at most one .suffix.",
        0, 0
      )
    case .typeLetter(let letter, let position):
      (
        "%s: '%c', character %ld of a type string, is not a type letter the kit knows there.",
        Int(letter), position
      )
    case .notPointers(let bytes):
      (
        "%s: Arguments is %ld bytes and not a row of pointers; use only the kit's argument types.",
        bytes, 0
      )
    case .argumentCount(let inStruct, let inTypes):
      (
        "%s: Arguments has %ld arguments but the type strings have %ld; make them agree.",
        inStruct, inTypes
      )
    case .argumentType(let position, let letter):
      (
        "%s: argument %ld of Arguments cannot stand for type letter '%c'; change one of them.",
        position, Int(letter)
      )
    case .audioOutput:
      ("%s: an opcode with audio outputs must be an AudioOpcode.", 0, 0)
    case .missingPerformance:
      ("%s: the opcode has a performance pass; give its C function as 'perform'.", 0, 0)
    case .blockSize(let bytes):
      (
        "%s: its block is %ld bytes and Csound allows %ld; keep less state in the struct.",
        bytes, CsoundBlock.largestSize
      )
    }
  }

  private func withSentence<R>(
    about overload: Overload, _ body: (UnsafePointer<CChar>) -> R
  ) -> R {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { text in
      let (format, first, second) = sentence
      let start = text.baseAddress.unsafelyUnwrapped
      ccs_format_problem(
        start, text.count, format.cString, overload.name.cString, first, second)
      return body(start)
    }
  }

  func warn(_ csound: CsoundPointer, about overload: Overload) {
    withSentence(about: overload) { ccs_warn(csound, $0) }
  }

  #if !hasFeature(Embedded)
    /// The problem in one sentence.
    public func description(of overload: Overload) -> String {
      withSentence(about: overload) { String(cString: $0) }
    }
  #endif
}

extension Overload {
  /// What forbids registering this overload, if anything.
  ///
  /// Field types are compared with type letters only where Swift has reflection, that is in every
  /// build but the standalone plugin.
  public var problem: OverloadProblem? {
    do throws(OverloadProblem) {
      try checkName()
      try checkArguments()
      guard blockSize <= CsoundBlock.largestSize else {
        throw .blockSize(bytes: blockSize)
      }
      return nil
    } catch {
      return error
    }
  }

  private func checkName() throws(OverloadProblem) {
    var dots = 0
    for index in 0..<name.utf8CodeUnitCount {
      let character = name.utf8Start[index]
      let isLetter =
        (character | 0x20) >= UInt8(ascii: "a") && (character | 0x20) <= UInt8(ascii: "z")
      let isDigit = character >= UInt8(ascii: "0") && character <= UInt8(ascii: "9")
      switch character {
      case UInt8(ascii: ".") where index > 0: dots += 1
      case UInt8(ascii: "_") where index > 0: break
      default: guard isLetter || (isDigit && index > 0) else { throw .name }
      }
    }
    guard name.utf8CodeUnitCount > 0, dots <= 1 else { throw .name }
  }

  private func checkArguments() throws(OverloadProblem) {
    try Self.checkLetters(of: outputs, against: "akiSf")
    try Self.checkLetters(of: inputs, against: "akiSfopqvjhOPVJ")
    guard argumentBytes % MemoryLayout<Int>.size == 0 else {
      throw .notPointers(bytes: argumentBytes)
    }
    let inStruct = argumentBytes / MemoryLayout<Int>.size
    let inTypes = outputs.utf8CodeUnitCount + inputs.utf8CodeUnitCount
    guard inStruct == inTypes else {
      throw .argumentCount(inStruct: inStruct, inTypes: inTypes)
    }
    guard rate == .audio || !outputs.hasLetter(UInt8(ascii: "a")) else { throw .audioOutput }
    guard rate == .initTime || perform != nil else { throw .missingPerformance }
    #if !hasFeature(Embedded)
      try checkArgumentTypes()
    #endif
  }

  private static func checkLetters(
    of types: StaticString, against known: StaticString
  ) throws(OverloadProblem) {
    for index in 0..<types.utf8CodeUnitCount {
      let letter = types.utf8Start[index]
      guard known.hasLetter(letter) else { throw .typeLetter(letter, position: index + 1) }
    }
  }

  #if !hasFeature(Embedded)
    private func checkArgumentTypes() throws(OverloadProblem) {
      func fieldTypes<A>(of type: A.Type) -> [Any.Type] {
        let arguments = UnsafeMutableRawPointer.allocate(
          byteCount: MemoryLayout<A>.size, alignment: MemoryLayout<A>.alignment)
        defer { arguments.deallocate() }
        arguments.initializeMemory(as: UInt8.self, repeating: 8, count: MemoryLayout<A>.size)
        return Mirror(reflecting: arguments.load(as: A.self)).children.map {
          Swift.type(of: $0.value)
        }
      }
      let fields = fieldTypes(of: argumentsType)
      for (index, field) in fields.enumerated() {
        let outputCount = outputs.utf8CodeUnitCount
        let letter =
          index < outputCount
          ? outputs.utf8Start[index] : inputs.utf8Start[index - outputCount]
        guard let argument = field as? any Argument.Type,
          argument.isOutput == (index < outputCount), argument.typeLetters.hasLetter(letter)
        else { throw .argumentType(position: index + 1, letter: letter) }
      }
    }
  #endif
}

extension StaticString {
  fileprivate func hasLetter(_ letter: UInt8) -> Bool {
    for index in 0..<utf8CodeUnitCount where utf8Start[index] == letter { return true }
    return false
  }
}
