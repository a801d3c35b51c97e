import CCsound
import CsoundHost
import Testing

@Suite("Where Csound has its tables", .serialized, .disabled(if: Player.isNamed, Player.why))
struct TablePlaceTests {
  /// An engine with the tables 5, of 16 elements, and 1234, of 7.
  private static func tables() throws -> (Csound, UnsafeMutablePointer<CSOUND>) {
    var csound: UnsafeMutablePointer<CSOUND>?
    let engine = try Csound(registering: { csound = $0 })
    _ = try perform(
      """
      gitable ftgen 5, 0, 16, -2, 1, 2, 3
      gilast ftgen 1234, 0, -7, -2, 4, 5
      """, score: "f0 0.01", on: engine)
    return (engine, try #require(csound))
  }

  @Test("The list of tables is found in this Csound, and the sine")
  func found() throws {
    let (engine, pointer) = try Self.tables()
    defer { engine.close() }
    let list = UnsafeRawPointer(pointer) + Int(ccs_tables_place)
    #expect(ccs_know_table(pointer, 5).list == UnsafeRawPointer(list))
    let known = ccs_know_table(pointer, 1234)
    #expect(known.list == UnsafeRawPointer(list))
    #expect(known.number == 1234 && known.length == 7 && known.samples[1] == 5)
    #expect(ccs_know_table(pointer, 6).samples == nil && ccs_know_table(pointer, 0).samples == nil)
    let sine = ccs_know_table(pointer, -1)
    #expect(sine.samples != nil && sine.list == nil)
    let elements = ccs_find_elements(pointer, sine)
    #expect(elements.length > 16 && abs(elements.samples[Int(elements.length) / 4] - 1) < 1e-9)
    #expect(ccs_find_elements(pointer, ccs_know_table(pointer, 6)).samples == nil)
  }

  @Test("What is known of a table is used only while it is so")
  func outdated() throws {
    let (engine, pointer) = try Self.tables()
    defer { engine.close() }
    let known = ccs_know_table(pointer, 1234)
    // As when the number's table has got other samples or another length, or Csound must be asked.
    var outdated = [known, known, known]
    outdated[0].samples = ccs_know_table(pointer, 5).samples
    outdated[1].length = 16
    outdated[2].samples = nil
    for (index, known) in ([known] + outdated).enumerated() {
      let elements = ccs_find_elements(pointer, known)
      #expect(elements.length == 7 && elements.samples[1] == 5, "\(index)")
    }
    // As when the number has another table, or none any more.
    var (other, none) = (known, known)
    (other.number, none.number) = (5, 6)
    #expect(ccs_find_elements(pointer, other).length == 16)
    #expect(ccs_find_elements(pointer, none).samples == nil)
  }

  @Test("What is not laid out like Csound's list of tables is not taken for it")
  func refused() throws {
    let bytes = UnsafeMutableRawPointer.allocate(byteCount: 0x6000, alignment: 16)
    defer { bytes.deallocate() }
    let csound = bytes.bindMemory(to: CSOUND.self, capacity: 1)
    let list = UnsafeMutablePointer<UnsafeRawPointer?>.allocate(capacity: 101)
    defer { list.deallocate() }
    list.initialize(repeating: nil, count: 101)
    let table = UnsafeMutablePointer<FUNC>.allocate(capacity: 1)
    defer { table.deallocate() }
    let place = bytes + Int(ccs_tables_place)
    func isFound(last: CInt = 100, generators: Int = 16, count: CInt = 61, number: CInt = 3) -> Bool
    {
      place.storeBytes(of: UInt(bitPattern: list), as: UInt.self)
      place.storeBytes(of: last, toByteOffset: 8, as: CInt.self)
      place.storeBytes(of: generators, toByteOffset: 16, as: Int.self)
      place.storeBytes(of: count, toByteOffset: 24, as: CInt.self)
      return ccs_table_list(csound, number, table) != nil
    }
    #expect(!isFound())
    list[3] = UnsafeRawPointer(table)
    #expect(isFound())
    #expect(!isFound(number: 4))
    #expect(!isFound(last: 2) && !isFound(last: 0) && !isFound(last: 101))
    #expect(!isFound(generators: 0))
    #expect(!isFound(count: 0) && !isFound(count: -1) && !isFound(count: 100_000))
  }
}
