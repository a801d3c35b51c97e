import CTrace
import CsoundHost
import Foundation

/// Which opcode a place in a worker's memory belongs to.
///
/// A function's end is the next one's beginning. Both are in the table that a library carries for
/// unwinding, stripped or not.
public struct FunctionMap: Codable, Sendable {
  /// A program or library that has functions of opcodes.
  struct Object: Codable, Sendable {
    /// Its file name.
    var name: String
    var begin: UInt64
    var end: UInt64
    /// Where its functions begin, ascending.
    var starts: [UInt64]
  }

  var objects: [Object] = []
  /// Names of opcodes by their function's address.
  var opcodes: [UInt64: [String]] = [:]

  init() {}

  /// Adds what the notes perform that an engine has now, and the orchestra's statements.
  mutating func add(_ csound: Csound) {
    var functions = [trace_function](
      repeating: trace_function(), count: trace_functions(csound.engine, nil, 0))
    let count = trace_functions(csound.engine, &functions, functions.count)
    for function in functions.prefix(count) {
      let name = ProfileTake.Statement.readable(String(cString: function.opcode))
      if opcodes[function.address]?.contains(name) != true {
        opcodes[function.address, default: []].append(name)
      }
      if !objects.contains(where: { $0.begin <= function.address && function.address < $0.end }) {
        objects.append(Object(around: function.address))
      }
    }
  }

  /// What is known of a place: the opcodes whose function it is in, shortened, or where in its
  /// library that function begins; nil for other libraries.
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

  /// Where the function begins that holds an address.
  fileprivate func start(of address: UInt64) -> UInt64? {
    var (low, high) = (0, starts.count)
    while low < high {
      let middle = (low + high) / 2
      if starts[middle] <= address { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? starts[low - 1] : nil
  }
}
