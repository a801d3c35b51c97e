import CCsound
import CsoundHost
import Foundation
import Testing

#if DEBUG
  @testable import OpcodeKit

  @Suite("What debug builds say about an author's mistakes")
  struct ChecksTests {
    /// Reads an element in the second k-cycle, which is to be outside.
    static func read(_ which: Int, _ index: String) {
      _ = try? perform(
        """
        gitable ftgen 7, 0, 16, -2, 1
        instr 1
          aone linseg 1, 1, 1
          karray[] fillarray 1, 2, 3
          kcycle timeinstk
          kindex = (kcycle == 2 ? \(index) : 0)
          kout TEST_OUTSIDE aone, karray, 7, \(which), kindex
        endin
        """, score: "i1 0 0.01")
    }

    static func said(_ result: ExitTest.Result?) -> String {
      String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    }

    @Test(
      "An index outside of a buffer, a table, an array or the frames of a k-cycle",
      arguments: [
        (1, "8", "index 8 is outside a Buffer's elements, of which there are 8."),
        (1, "-1", "index -1 is outside a Buffer's elements"),
        (2, "17", "index 17 is outside a table's elements and guard point,"),
        (3, "3", "index 3 is outside an array's elements, of which there are 3."),
        (4, "10", "index 10 is outside an audio argument's frames,"),
        // Two frames of which the second is not in the k-cycle.
        (5, "9", "index 10 is outside an audio argument's frames"),
      ])
    func outside(which: Int, index: String, sentence: String) async {
      let result = await #expect(
        processExitsWith: .signal(SIGABRT), observing: [\.standardErrorContent]
      ) { [which = which as Int, index = index as String] in ChecksTests.read(which, index) }
      #expect(Self.said(result).contains("TEST_OUTSIDE, performance pass: " + sentence))
    }

    /// Ways to several elements of a buffer of doubles or of pairs at once, with how many they take.
    enum Access: String, CaseIterable, Codable, CustomTestStringConvertible {
      case pair, quad, setQuad, pairLanes, setPairLanes, pairQuad, setPairQuad, part, table

      var testDescription: String { rawValue }

      var width: Int {
        switch self {
        case .pair, .pairQuad, .setPairQuad: 2
        case .quad, .setQuad, .pairLanes, .setPairLanes: 4
        // Of these as many as are asked for: 3 elements, and a table of 4 with its guard point.
        case .part, .table: 3
        }
      }

      /// Takes elements of a buffer of so many, with room behind it.
      func take(_ index: Int, of count: Int) {
        withUnsafeTemporaryAllocation(of: Pair.self, capacity: 64) { room in
          room.initialize(repeating: Pair(1, 2))
          let pairs = Buffer(start: room.baseAddress! + 16, count: count)
          let numbers = Buffer(
            start: UnsafeMutableRawPointer(pairs.start).assumingMemoryBound(to: Double.self),
            count: count)
          switch self {
          case .pair: _ = numbers.pair(at: index)
          case .quad: _ = numbers.quad(at: index)
          case .setQuad: numbers.setQuad(Quad(1), at: index)
          case .pairLanes: _ = pairs.lanes(at: index)
          case .setPairLanes: pairs.setLanes(Lanes(1), at: index)
          case .pairQuad: _ = pairs.quad(at: index)
          case .setPairQuad: pairs.setQuad(Quad(1), at: index)
          case .part: _ = numbers.part(from: index, count: 3)
          case .table: _ = pairs.table(at: index, count: 4)
          }
        }
      }
    }

    @Test(
      "Several elements of which one is outside, in buffers shorter than they are, too",
      arguments: Access.allCases)
    func several(access: Access) async {
      for count in 0...4 {
        let first = max(0, count - access.width + 1)
        let indices = [first] + (count == 4 ? [-1, .min, .max] : [])
        for index in indices {
          let result = await #expect(
            processExitsWith: .signal(SIGABRT), observing: [\.standardErrorContent],
            "\(access) at \(index) of \(count)"
          ) { [access = access as Access, index = index as Int, count = count as Int] in
            access.take(index, of: count)
          }
          let outside = index < 0 ? index : max(index, count)
          #expect(
            Self.said(result).contains(
              "index \(outside) is outside a Buffer's elements, of which there are \(count)."))
        }
      }
      await #expect(processExitsWith: .success, "\(access)") { [access = access as Access] in
        for count in access.width...5 {
          for index in 0...(count - access.width) { access.take(index, of: count) }
        }
      }
    }

    @Test(
      "Parts and tables of more elements than there are, or of fewer than none",
      arguments: [(0, 100), (0, 9), (8, 1), (3, .max), (5, -3), (0, .min)])
    func parts(index: Int, count: Int) async {
      for isTable in [false, true] {
        let result = await #expect(
          processExitsWith: .signal(SIGABRT), observing: [\.standardErrorContent]
        ) { [index = index as Int, count = count as Int, isTable = isTable as Bool] in
          if isTable {
            _ = Buffer<Pair>.room(4).table(at: index, count: count)
          } else {
            _ = Buffer<Double>.room(8).part(from: index, count: count)
          }
        }
        #expect(Self.said(result).contains("is outside a Buffer's elements"))
      }
      await #expect(processExitsWith: .success) {
        #expect(Buffer<Double>.room(8).part(from: 0, count: 8).count == 8)
        #expect(Buffer<Double>.room(8).part(from: 8, count: 0).count == 0)
      }
    }

    @Test("An Int made of what is no whole number")
    func conversion() async {
      let result = await #expect(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) { ChecksTests.read(6, "divz(1, 0, 1e300)") }
      #expect(
        Self.said(result).contains(
          "TEST_OUTSIDE, performance pass: Swift stopped it: NaN, infinity or a number out of range"
        ))
    }

    @Test("What is inside is not stopped, the guard point included")
    func inside() async {
      await #expect(processExitsWith: .success) {
        ChecksTests.read(1, "7")
        ChecksTests.read(2, "16")
        ChecksTests.read(3, "2")
        ChecksTests.read(4, "9")
        ChecksTests.read(5, "8")
        ChecksTests.read(6, "-3.9")
      }
    }
  }

  @Suite("The length of an output array")
  struct ArrayCountTests {
    @Test("It changes within the memory there is, and asks for no more, whatever the number")
    func counts() {
      var sizes: [Int32] = [4]
      var numbers = [Double](repeating: 1, count: 8)
      sizes.withUnsafeMutableBufferPointer { sizes in
        numbers.withUnsafeMutableBufferPointer { numbers in
          var memory = ARRAYDAT()
          memory.dimensions = 1
          memory.sizes = sizes.baseAddress
          memory.data = numbers.baseAddress
          memory.arrayMemberSize = 8
          memory.allocated = 64
          let array = withUnsafeMutablePointer(to: &memory) { pointer in
            #expect(ArrayOutput<ControlOutput>(array: pointer).setCount(3))
            #expect(pointer.pointee.sizes[0] == 3)
            #expect(ArrayOutput<ControlOutput>(array: pointer).setCount(8))
            #expect(pointer.pointee.sizes[0] == 8)
            for count in [9, -1, .min, .max, 1 << 61, 1 << 32] {
              #expect(!ArrayOutput<ControlOutput>(array: pointer).setCount(count), "\(count)")
            }
            return pointer.pointee.sizes[0]
          }
          #expect(array == 8)
        }
      }
    }
  }

  extension Buffer {
    /// A buffer for a test, never freed.
    fileprivate static func room(_ count: Int) -> Buffer {
      Buffer(start: .allocate(capacity: count), count: count)
    }
  }
#endif
