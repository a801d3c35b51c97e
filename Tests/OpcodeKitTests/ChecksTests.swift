import CsoundHost
import Foundation
import OpcodeKit
import Testing

#if DEBUG
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

    @Test("An index out of a buffer's range")
    func buffer() async {
      let result = await #expect(
        processExitsWith: .signal(SIGABRT), observing: [\.standardErrorContent]
      ) { ChecksTests.read(1, "8") }
      #expect(
        Self.said(result).contains(
          "TEST_OUTSIDE, performance pass: index 8 is outside a Buffer's elements, of which there are 8."
        ))
    }

    @Test("An index below a buffer's")
    func negative() async {
      let result = await #expect(
        processExitsWith: .signal(SIGABRT), observing: [\.standardErrorContent]
      ) { ChecksTests.read(1, "-1") }
      #expect(Self.said(result).contains("index -1 is outside a Buffer's elements"))
    }

    @Test("An index out of a table's range")
    func table() async {
      let result = await #expect(
        processExitsWith: .signal(SIGABRT), observing: [\.standardErrorContent]
      ) { ChecksTests.read(2, "17") }
      #expect(
        Self.said(result).contains(
          "TEST_OUTSIDE, performance pass: index 17 is outside a table's elements and guard point,")
      )
    }

    @Test("An index out of an array's range")
    func array() async {
      let result = await #expect(
        processExitsWith: .signal(SIGABRT), observing: [\.standardErrorContent]
      ) { ChecksTests.read(3, "3") }
      #expect(
        Self.said(result).contains(
          "TEST_OUTSIDE, performance pass: index 3 is outside an array's elements, of which there are 3."
        ))
    }

    @Test("A frame that is not in the k-cycle")
    func audio() async {
      let result = await #expect(
        processExitsWith: .signal(SIGABRT), observing: [\.standardErrorContent]
      ) { ChecksTests.read(4, "10") }
      #expect(
        Self.said(result).contains(
          "TEST_OUTSIDE, performance pass: index 10 is outside an audio argument's frames,"))
    }

    @Test("Two frames of which the second is not in the k-cycle")
    func pair() async {
      let result = await #expect(
        processExitsWith: .signal(SIGABRT), observing: [\.standardErrorContent]
      ) { ChecksTests.read(5, "9") }
      #expect(Self.said(result).contains("index 10 is outside an audio argument's frames"))
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
#endif
