internal import CCsound

/// Why an overload cannot be registered. Csound itself would accept each of these overloads, and later crash, hang or
/// read the wrong memory.
@_documentation(visibility: internal) public enum OverloadProblem: Error, Equatable, Sendable {
  /// The name is not made of letters, digits and underscores with at most one `.suffix`.
  case name
  /// A type string has a character that is not a type letter at this position.
  case typeLetter(UInt8, position: Int)
  /// `Arguments` holds something other than pointers.
  case notPointers(bytes: Int)
  /// `Arguments` and the type strings name different numbers of arguments.
  case argumentCount(inStruct: Int, inTypes: Int)
  /// A field of `Arguments` has a type that does not match its type letter.
  case argumentType(position: Int, letter: UInt8)
  /// A required input follows an optional one, or anything follows a variadic letter.
  case argumentOrder(position: Int, letter: UInt8)
  /// A type string has a variadic letter but `Arguments` does not conform to `VariadicArguments`, or the reverse.
  case variadicArguments
  /// There is an audio output, but the opcode is not an `AudioOpcode`, so the samples outside the note would not be
  /// zeroed.
  case audioOutput
  /// The opcode has a performance pass, but its C function is missing.
  case missingPerformance
  /// There is a struct argument, and the Csound it is for has no structs.
  case structInCsound6(position: Int)
  /// There is a struct argument, but nothing compares its members with the orchestra's.
  case uncheckedStruct(position: Int)
  /// The block is larger than Csound can allocate.
  case blockSize(bytes: Int)

  /// The values that a sentence contains.
  private enum Numbers {
    case none
    case one(Int)
    case two(Int, Int)
    case position(Int, letter: UInt8)
  }

  private var sentence: (format: StaticString, numbers: Numbers) {
    switch self {
    case .name:
      (
        "%s: an opcode's name is a letter, then letters, digits or '_', then at most one .suffix.",
        .none
      )
    case .typeLetter(let letter, let position):
      (
        "%s: character %ld of a type string, '%c', is not a type letter the kit knows there.",
        .position(position, letter: letter)
      )
    case .notPointers(let bytes):
      (
        "%s: Arguments is %ld bytes and not a row of pointers; use only the kit's argument types.",
        .one(bytes)
      )
    case .argumentCount(let inStruct, let inTypes):
      (
        "%s: Arguments has %ld arguments but the type strings have %ld; make them agree.",
        .two(inStruct, inTypes)
      )
    case .argumentType(let position, let letter):
      (
        "%s: argument %ld of Arguments cannot stand for type letter '%c'; change one of them.",
        .position(position, letter: letter)
      )
    case .argumentOrder(let position, let letter):
      (
        "%s: argument %ld, '%c', stands after one that may be left out or repeated; put it before.",
        .position(position, letter: letter)
      )
    case .variadicArguments:
      (
        "%s: Arguments must be VariadicArguments exactly when a type string has a variadic letter.",
        .none
      )
    case .audioOutput:
      ("%s: an opcode with audio outputs must be an AudioOpcode.", .none)
    case .missingPerformance:
      ("%s: the opcode has a performance pass; give its C function as 'perform'.", .none)
    case .structInCsound6(let position):
      (
        "%s: argument %ld is a struct, and Csound 6 has none; build with --csound 7.",
        .one(position)
      )
    case .uncheckedStruct(let position):
      ("%s: argument %ld is a struct; only @Opcode can make such an opcode.", .one(position))
    case .blockSize(let bytes):
      (
        "%s: its block is %ld bytes and Csound allows %ld; keep less state in the struct.",
        .two(bytes, CsoundBlock.largestSize)
      )
    }
  }

  private func withSentence<R>(
    about overload: Overload, _ body: (UnsafePointer<CChar>) -> R
  ) -> R {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { text in
      let (format, numbers) = sentence
      let (start, name) = (text.baseAddress.unsafelyUnwrapped, overload.name.cString)
      func write(_ first: Int, _ second: Int) {
        ccs_format_problem(start, text.count, format.cString, name, first, second)
      }
      switch numbers {
      case .none: write(0, 0)
      case .one(let number): write(number, 0)
      case .two(let first, let second): write(first, second)
      case .position(let position, let letter):
        ccs_format_letter_problem(
          start, text.count, format.cString, name, position, CInt(letter))
      }
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
  /// Why this overload cannot be registered; nil when it can.
  ///
  /// Field types are compared with type letters only where Swift has reflection: in every build except the standalone
  /// plugin.
  public var problem: OverloadProblem? {
    do throws(OverloadProblem) {
      try checkName()
      try checkArguments()
      guard blockSize <= CsoundBlock.largestSize else { throw .blockSize(bytes: blockSize) }
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
    var words = 0
    let isVariadic = try checkLetters(
      of: outputs, fixed: "akiSf:", TypeString.isVariadicOutput, first: 1, words: &words)
    let hasVariadicInputs = try checkLetters(
      of: inputs, fixed: "akiSfopqvjhOPVJ.?xTU:", TypeString.isVariadicInput,
      first: TypeString(outputs.cString).count + 1, words: &words)
    guard argumentBytes % MemoryLayout<Int>.size == 0 else {
      throw .notPointers(bytes: argumentBytes)
    }
    let inStruct = argumentBytes / MemoryLayout<Int>.size
    guard inStruct == words else { throw .argumentCount(inStruct: inStruct, inTypes: words) }
    guard self.isVariadic == (isVariadic || hasVariadicInputs) else { throw .variadicArguments }
    let hasAudioOutput =
      writesAudioMembers
      || TypeString(outputs.cString).contains {
        $0.letter == UInt8(ascii: "a") || CsoundBlock.isVariadicAudio($0)
      }
    guard rate == .audio || !hasAudioOutput else { throw .audioOutput }
    guard rate == .initTime || perform != nil else { throw .missingPerformance }
    #if !hasFeature(Embedded)
      try checkArgumentTypes()
    #endif
  }

  /// Checks one type string, and adds the number of words that its arguments take in `Arguments` to `words`. Returns
  /// true when it ends in a variadic letter.
  private func checkLetters(
    of types: StaticString, fixed: StaticString, _ isVariadic: (UInt8) -> Bool, first: Int,
    words: inout Int
  ) throws(OverloadProblem) -> Bool {
    var (hasOptional, hasVariadic) = (false, false)
    var (items, index) = (TypeString(types.cString), -1)
    while let item = items.next() {
      index += 1
      guard isVariadic(item.letter) || fixed.hasLetter(item.letter) else {
        throw .typeLetter(item.letter, position: index + 1)
      }
      let isOptional = ("opqvjhOPVJ" as StaticString).hasLetter(item.letter)
      guard !hasVariadic, !hasOptional || isOptional || isVariadic(item.letter) else {
        throw .argumentOrder(position: first + index, letter: item.letter)
      }
      if item.letter == UInt8(ascii: ":") {
        guard ccs_has_structs() != 0 else { throw .structInCsound6(position: first + index) }
        guard checksStructs else { throw .uncheckedStruct(position: first + index) }
      }
      guard !item.isArray || ("akiSf.?:" as StaticString).hasLetter(item.letter) else {
        throw .typeLetter(UInt8(ascii: "["), position: index + 1)
      }
      hasOptional = hasOptional || isOptional
      hasVariadic = isVariadic(item.letter)
      words += hasVariadic ? 2 : 1
    }
    return hasVariadic
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
      let outputItems = Array(IteratorSequence(TypeString(outputs.cString)))
      let items = outputItems + Array(IteratorSequence(TypeString(inputs.cString)))
      for (index, (field, item)) in zip(fields, items).enumerated() {
        let isOutput = index < outputItems.count
        let isVariadic =
          isOutput
          ? TypeString.isVariadicOutput(item.letter) : TypeString.isVariadicInput(item.letter)
        guard let argument = field as? any Argument.Type,
          argument.isOutput == isOutput, argument.isArray == item.isArray,
          argument.isVariadic == isVariadic, argument.typeLetters.hasLetter(item.letter)
        else { throw .argumentType(position: index + 1, letter: item.letter) }
      }
    }
  #endif
}
