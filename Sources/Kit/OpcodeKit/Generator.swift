internal import CCsound

/// A named GEN routine: `ftgen 1, 0, 1024, "name", …` in an orchestra, `f 1 0 1024 "name" …` in a
/// score.
///
/// A plugin lists its GEN routines in the function `csound_fgen_init`. Csound always rescales the
/// table to a peak of 1 after a named GEN routine.
public protocol Generator {
  /// Fills a table; `parameters` are the numbers after the name. All elements are zero at first.
  ///
  /// Runs in an init pass or before the performance. The routine must also set the guard point,
  /// `table[table.count]`.
  static func fill(
    _ table: FunctionTable, _ parameters: GeneratorParameters
  ) throws(OpcodeError)
}

/// The numbers after a GEN routine's name.
public struct GeneratorParameters {
  let request: GeneratorRequestPointer

  /// Number of parameters.
  public var count: Int { Int(ccs_generator_parameter_count(request)) }
  /// The parameter at an index from 0 to `count - 1`. Checked in debug builds only.
  public subscript(index: Int) -> Double {
    Checks.index(index, below: count, "the parameters of the GEN routine")
    return ccs_generator_parameter(request, CInt(truncatingIfNeeded: index))
  }
}

extension Generator {
  /// The GEN routine as a C entry point.
  @_documentation(visibility: internal) public static func generate(
    _ request: GeneratorRequestPointer, _ table: GeneratorTablePointer?
  ) -> CInt {
    do throws(OpcodeError) {
      guard let table, let found = FunctionTable(ccs_table_of(table, 0), request.pointee.csound)
      else { throw OpcodeError(argument: "size", is: 0, mustBe: "above 0 for this GEN") }
      try fill(found, GeneratorParameters(request: request))
      return 0
    } catch {
      return error.report(to: request)
    }
  }
}

/// A registry that a library adds its GEN routines to.
public protocol GeneratorRegistry {
  /// Adds a GEN routine; `fill` is `{ MyGenerator.generate($0, $1) }`.
  @_documentation(visibility: internal)
  mutating func add(_ name: StaticString, fill: @escaping GeneratorEntryPoint)
}

/// The GEN routines of a plugin, in the form that `csound_fgen_init` must return.
@_documentation(visibility: internal) public struct CsoundGeneratorRegistry: GeneratorRegistry {
  let csound: CsoundPointer
  /// The value `csound_fgen_init` returns. Csound owns the memory.
  public private(set) var list: GeneratorListPointer
  private var count = 0

  public init(_ csound: CsoundPointer) {
    self.csound = csound
    list = ccs_add_generator(csound, nil, 0, nil, nil)
  }

  public mutating func add(_ name: StaticString, fill: @escaping GeneratorEntryPoint) {
    list = ccs_add_generator(
      csound, list, CInt(count), name.cString,
      unsafeBitCast(
        fill,
        to: (@convention(c) (UnsafeMutablePointer<FGDATA>?, UnsafeMutablePointer<FUNC>?) -> CInt)
          .self))
    count += 1
  }
}
