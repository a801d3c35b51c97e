import CTrace
import CsoundHost
import Foundation

/// Maps addresses in a worker's memory to opcodes.
///
/// A function is assumed to end where the next one begins. The beginnings come from the unwinding
/// table of a library, which stripped libraries have too.
public struct FunctionMap: Codable, Sendable {
  /// A program or library that contains opcode functions.
  struct Object: Codable, Sendable {
    /// Its file name.
    var name: String
    var begin: UInt64
    var end: UInt64
    /// The addresses at which its functions begin, in ascending order.
    var starts: [UInt64]
  }

  var objects: [Object] = []
  /// The names of the opcodes that use a function, by the function's address.
  var opcodes: [UInt64: [String]] = [:]

  init() {}

  /// Adds the functions of the orchestra's statements and those that the engine's current notes
  /// use.
  mutating func add(_ csound: Csound) {
    var functions = [trace_function](
      repeating: trace_function(), count: trace_functions(csound.engine, nil, 0))
    let count = trace_functions(csound.engine, &functions, functions.count)
    for function in functions.prefix(count) {
      let name = Flight.readable(String(cString: function.opcode))
      if opcodes[function.address]?.contains(name) != true {
        opcodes[function.address, default: []].append(name)
      }
      if !objects.contains(where: { $0.begin <= function.address && function.address < $0.end }) {
        objects.append(Object(around: function.address))
      }
    }
  }

  /// The function at an address: the names of up to three opcodes that use it (nil if none does),
  /// its offset in its library, and the library's file name. Nil for an address in other libraries.
  func place(_ address: UInt64) -> (opcodes: String?, function: String, object: String)? {
    guard let object = objects.first(where: { $0.begin <= address && address < $0.end }),
      let start = object.start(of: address)
    else { return nil }
    let names = opcodes[start].map { $0.sorted() }
    let shown = names.map { $0.prefix(3).joined(separator: ", ") + ($0.count > 3 ? ", …" : "") }
    let offset = String(start - object.begin, radix: 16)
    return (shown, "\(object.name)+0x\(offset)", object.name)
  }
}

extension FunctionMap.Object {
  fileprivate init(around address: UInt64) {
    var object = trace_object()
    var starts = [UInt64](
      repeating: 0, count: trace_function_starts(address, &object, nil, 0))
    _ = trace_function_starts(address, &object, &starts, starts.count)
    let path = object.path.map { String(cString: $0) } ?? "?"
    name = ((path.isEmpty ? CommandLine.arguments[0] : path) as NSString).lastPathComponent
    (begin, end) = (object.begin, object.end)
    self.starts = starts
  }

  /// The address at which the function that contains `address` begins.
  fileprivate func start(of address: UInt64) -> UInt64? {
    var (low, high) = (0, starts.count)
    while low < high {
      let middle = (low + high) / 2
      if starts[middle] <= address { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? starts[low - 1] : nil
  }
}
