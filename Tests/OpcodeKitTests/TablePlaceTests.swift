import CCsound
import CsoundHost
import Testing

@Suite("Where Csound has its tables", .serialized, .disabled(if: Player.isNamed, Player.why))
struct TablePlaceTests {
  @Test("The list of tables is found in this Csound, and the sine")
  func found() throws {
    var csound: UnsafeMutablePointer<CSOUND>?
    let engine = try Csound(registering: { csound = $0 })
    defer { engine.close() }
    _ = try perform(
      """
      gitable ftgen 5, 0, 16, -2, 1, 2, 3
      gilast ftgen 1234, 0, -7, -2, 4, 5
      """, score: "f0 0.01", on: engine)
    let pointer = try #require(csound)
    let list = UnsafeRawPointer(pointer) + Int(ccs_tables_place)
    #expect(ccs_table_place(pointer, 5) == list)
    #expect(ccs_table_place(pointer, 1234) == list)
    #expect(ccs_table_place(pointer, 6) == nil && ccs_table_place(pointer, 0) == nil)
    let sine = try #require(ccs_table_place(pointer, -1))
    let elements = ccs_find_elements(pointer, -1, sine)
    #expect(elements.length > 16 && abs(elements.samples[Int(elements.length) / 4] - 1) < 1e-9)
    for place in [nil, list] {
      let elements = ccs_find_elements(pointer, 1234, place)
      #expect(elements.length == 7 && elements.samples[1] == 5)
      #expect(ccs_find_elements(pointer, 6, place).samples == nil)
    }
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
