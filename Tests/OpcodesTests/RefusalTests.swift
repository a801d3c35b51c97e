import Testing

/// Arguments that cannot be: each is an init error with a sentence, and other notes play.
@Suite("What opcodes refuse, in Csound", .serialized)
struct RefusalTests {
  /// A call whose arguments are p-fields, from p4 on, and a note that plays. A p-field of 777 is NaN, one of 888 infinity.
  struct Call: CustomTestStringConvertible, Sendable {
    var line: String
    var good: String
    /// P-fields and the sentence that they get.
    var refused: [(fields: String, sentence: String)]
    var testDescription: String { line }

    init(_ line: String, plays good: String, _ refused: (String, String)...) {
      (self.line, self.good, self.refused) = (line, good, refused)
    }
  }

  private static let noTable = "it must be the number of an existing table."

  static let calls = [
    Call(
      "a1, a2 FREEVERB aone, aone, 0.5, 0.5, p4", plays: "-1e300",
      ("1000001", "'iSRate' is 1000001; it must be at most 1000000 Hz."),
      ("1e300", "'iSRate' is 1e+300; it must be at most 1000000 Hz.")),
    Call(
      "a1, a2 REVERBSC aone, aone, 0.5, 5000, p4, p5", plays: "-1e300 0",
      ("4999 1", "'israte' is 4999; it must be from 5000 to 1000000 Hz."),
      ("1e300 1", "'israte' is 1e+300; it must be from 5000 to 1000000 Hz."),
      ("48000 -1", "'ipitchm' is -1; it must be from 0 to 20."),
      ("48000 20.5", "'ipitchm' is 20.5; it must be from 0 to 20.")),
    Call(
      "a1, a2 HALL aone, -aone, 1, p4, p4, p5, p6, p7, p8", plays: "1 1 0 250 4000",
      ("1 5 0 0 0", "'isize' is 5; it must be from 0.05 to 4"),
      ("1 1 2 0 0", "'imotion' is 2; it must be from 0 to 1"),
      ("1 1 0 -3 0", "'ilowsplit' is -3; it must be above 0 and below sr/2"),
      ("1 1 0 0 24000", "'ihighsplit' is 24000; it must be above 0 and below sr/2"),
      ("5 1 0.5 4000 250", "'ilowsplit' is 4000; it must be at most ihighsplit"),
      ("5 1 0.5 4001 0", "'ilowsplit' is 4001; it must be at most ihighsplit")),
    Call(
      "a1 PHASER aone, 500, korder, 0.5", plays: "8",
      ("-1", "'kord' is -1; it must be from 0 to 4999."),
      ("5000", "'kord' is 5000; it must be from 0 to 4999."),
      ("-1e300", "'kord' is -1e+300; it must be from 0 to 4999.")),
    Call(
      "a1 EXPSEG p4, 0.1, p5, 0.1, p6", plays: "1 2 3",
      ("0 1 2", "its values must be all above 0, or all below."),
      ("1 2 -1", "its values must be all above 0, or all below.")),
    Call(
      "a1 DCBLOCK2 aone, i4", plays: "-1e300",
      ("1000001", "'iorder' is 1000001; it must be at most 1000000."),
      ("777", "nan; it must be at most 1000000.")),
    Call(
      "a1 MOOGVCF2 aone, 500, 0.5, 0, 0, p4", plays: "1",
      ("2", "'iquality' is 2; it must be 0 or 1."),
      ("0.5", "'iquality' is 0.5; it must be 0, 1 or 2.")),
    Call(
      "a1 COMB aone, 1, i4, 0, p5", plays: "0.01 0",
      ("0 0", "'iloop' is 0; it must be at least half a sample, and at most 4 GB of them."),
      ("0.4 1", "'iloop' is 0.4; it must be at least half a sample"),
      ("-1 0", "'iloop' is -1; it must be at least"), ("1e300 0", "'iloop' is 1e+300; it must"),
      ("777 0", "nan; it must be at least half a sample")),
    Call(
      "a1 PHASER2 aone, 500, 1, p4, p5, 1, 0", plays: "8 1",
      ("-1 1", "'kord' is -1; it must be from 0 to 2499."),
      ("2500 1", "'kord' is 2500; it must be from 0 to 2499."),
      ("8 3", "'kmode' is 3; it must be 0, 1 or 2.")),
    Call(
      "a1 NREVERB aone, 1, 0, 0, p4, p5, p6, p7", plays: "0 99 1 3",
      ("1 99 0 0", "'icombtable' is 99; \(noTable)"),
      ("0 0 1 98", "'iallpasstable' is 98; \(noTable)"),
      ("5 3 0 0", "'the number of lines' is 5; it must be at most half the length of their table."),
      ("1 4 0 0", "'a line's length' is -0.5; it must be at least a frame, and at most 4 GB.")),
    Call(
      "a1 VDELAY aone, 5, i4", plays: "10",
      ("-1", "'imaxMs' is -1; it must be from 0 to 3600000 ms."),
      ("3600001", "'imaxMs' is 3600001; it must be from 0 to 3600000 ms."),
      ("1e300", "'imaxMs' is 1e+300; it must be from 0 to 3600000 ms."),
      ("-1e-9", "'imaxMs' is -1e-09; it must be from 0 to 3600000 ms."),
      ("777", "nan; it must be from 0 to 3600000 ms."),
      ("888", "'imaxMs' is inf; it must be from 0 to 3600000 ms.")),
    Call(
      "a1 CONVOLVE aone, p4, i5, p6", plays: "1 16 0",
      ("99 16 0", "'ift' is 99; \(noTable)"),
      ("1 0 0", "'iplen' is 0; it must be a power of two from 4 to 16777216."),
      ("1 2 0", "'iplen' is 2; it must be a power of two from 4 to 16777216."),
      ("1 48 0", "'iplen' is 48; it must be a power of two from 4 to 16777216."),
      ("1 1e300 0", "'iplen' is 1e+300; it must be a power of two from 4 to 16777216."),
      ("1 777 0", "nan; it must be a power of two from 4 to 16777216."),
      ("1 16 64", "'iskipsamples' is 64; it must be less than the samples of each channel")),
    Call(
      "a1, a2 CONVOLVE aone, 1, 16, p4", plays: "0",
      ("32", "'iskipsamples' is 32; it must be less than the samples of each channel")),
    Call(
      "a1 PLATE p4, p5, 0, p6, p7, p8, p9, anoise", plays: "3 3 1 5 1 0",
      ("99 3 1 5 1 0", "'itabin' is 99; \(noTable)"),
      ("3 98 1 5 1 0", "'itabout' is 98; \(noTable)"),
      ("3 3 -1 5 1 0", "'iaspect' is -1; it must be above 0."),
      ("3 3 0.001 5 1 0", "'iaspect' is 0.001; it must be at least one step of the plate's grid."),
      (
        "3 3 1 0 1 0",
        "'istiffness' is 0; it must be so that the plate has from 1 to 4000 steps along each side."
      ),
      ("3 3 1 1e6 1 0", "'istiffness' is 1000000; it must be so that"),
      ("3 3 1 5 0 0", "'idecay' is 0; it must be above 0."),
      ("3 3 1 5 1 -1", "'iloss' is -1; it must be 0 or more.")),
    Call(
      "a1, a2 ROTARY anoise, 9, -3, 1, p4, p5", plays: "0 2",
      ("181 1", "'iangle' is 181; it must be from 0 to 180 degrees."),
      ("90 0.2", "'idistance' is 0.2; it must be from 0.3 to 2 m."),
      ("90 3", "'idistance' is 3; it must be from 0.3 to 2 m.")),
    Call(
      "a1 SPRING anoise, 1, p4", plays: "0.02",
      ("0.001", "'idelay1' is 0.001; it must be from 0.002 to 0.2 s")),
    Call(
      "a1 COMPRESSOR anoise, -20, 4, 0.01, 0.1, p4, p5", plays: "0 0.001",
      ("-1 0", "'iknee' is -1; it must be from 0 to 100"),
      ("101 0", "'iknee' is 101; it must be from 0 to 100"),
      ("0 1.5", "'ilookahead' is 1.5; it must be from 0 to 1, or -1"),
      ("0 -0.1", "'ilookahead' is -0.1; it must be from 0 to 1, or -1")),
    Call(
      "a1, a2 COMPRESSOR anoise, anoise, -20, 4, 0.01, 0.1, p4, p5", plays: "0 0.001",
      ("-1 0", "'iknee' is -1; it must be from 0 to 100"),
      ("0 1.5", "'ilookahead' is 1.5; it must be from 0 to 1, or -1")),
    Call(
      "acolumns[] PINS arows, p4, p5\na1 = acolumns[0]", plays: "4 1",
      ("4 4", "an element for each row and column"), ("9 4", noTable),
      ("1 0", "'icolumns' is 0; it must be from 1 to 256")),
    Call("a1 CLIP aone, 0, p4", plays: "1", ("-1", "'ilimit' is -1; it must be 0 or more")),
    Call(
      "a1 LADDER aone, 1000, 0.5, p4, 1, p5", plays: "5 2",
      ("6 0", "'imode' is 6; it must be 0, 1, 2, 3, 4 or 5."),
      ("0 0.5", "'isaturation' is 0.5; it must be 0, 1 or 2.")),
    Call(
      "a1 VCO2 1, 480, p4", plays: "12",
      ("14", "'imode' is 14; it must be an even number from 0 to 12")),
    Call(
      "a1, a2 VCS3OSC 100, 0.5, p4", plays: "3",
      ("4", "'ioscillator' is 4; it must be 1, 2 or 3")),
    Call(
      "a1 LOOPTIME i4, 1, 120", plays: "1", ("99", "'itable' is 99; \(noTable)"),
      ("777", "nan; \(noTable)")),
    Call(
      "a1 SYNCGRAIN 1, 50, 1, 0.1, 1, p4, p5, p6", plays: "1 1 9",
      ("99 1 9", "'isource' is 99; \(noTable)"), ("1 98 9", "'ienvelope' is 98; \(noTable)"),
      ("1 1 -1", "'iolaps' is -1; it must be from 0 to 1000000.")),
    Call("a1 POSCILI 1, 480, p4", plays: "-1", ("99", "'ifn' is 99; \(noTable)")),
    Call("a1 OSCILI 1, 480, p4", plays: "-1", ("99", "'ifn' is 99; \(noTable)")),
    Call(
      "a1 MORPH 1, 100, 0, 0, p4, p5, p6, p7", plays: "1 1 1 1",
      ("9 1 1 1", "'if1' is 9; \(noTable)"), ("1 0 1 1", "'if2' is 0; \(noTable)"),
      ("1 1 -2 1", "'if3' is -2; \(noTable)"), ("1 1 1 1e300", "'if4' is 1e+300; \(noTable)")),
    Call(
      "a1 MORPH 1, 100, 0, 0, 1, 1, 1, p4, p5", plays: "2 0",
      (
        "2 1",
        "'the length of a table' is 100; it must be a power of two from 16 to 65536"
          + " where iquality is 1 or 2."
      ),
      (
        "3 2",
        "'the length of a table' is 9; it must be a power of two from 16 to 65536"
          + " where iquality is 1 or 2."
      ),
      ("1 3", "'iquality' is 3; it must be 0, 1 or 2.")),
    Call(
      "kbands[] BANDS anoise, i4, p5, p6\na1 upsamp kbands[0]", plays: "4 50 8000",
      ("0 50 8000", "'ibands' is 0; it must be from 1 to 128."),
      ("129 50 8000", "'ibands' is 129; it must be from 1 to 128."),
      ("-1 50 8000", "'ibands' is -1; it must be from 1 to 128."),
      ("777 50 8000", "nan; it must be from 1 to 128."),
      ("4 0 8000", "'ilow' is 0; it must be above 0 Hz and below sr/2."),
      ("4 24000 8000", "'ilow' is 24000; it must be above 0 Hz and below sr/2."),
      ("4 100 100", "'ihigh' is 100; it must be above ilow and below sr/2."),
      ("4 100 24000", "'ihigh' is 24000; it must be above ilow and below sr/2."),
      ("4 20000 -1", "'ihigh' is 16000; it must be above ilow and below sr/2."),
      ("4 100 1e300", "'ihigh' is 1e+300; it must be above ilow and below sr/2.")),
  ]

  @Test("What cannot be is an init error with a sentence; other notes play", arguments: calls)
  func refuses(call: Call) throws {
    let opcode = call.line.split { " \n".contains($0) }.first { $0.allSatisfy(Self.isInName) }!
    for (fields, sentence) in call.refused + [(call.good, "")] {
      let performance = try perform(
        """
        gi1 ftgen 1, 0, 64, 10, 1
        gi2 ftgen 2, 0, -100, -2, 1
        gi3 ftgen 3, 0, -9, -2, 0, 0.5, 1, 0, 0.4, 2, 0, 0.3, 3
        gi4 ftgen 4, 0, -2, -2, -0.5, 1
        instr 1
          i4 = (p4 == 777 ? log(-1) : (p4 == 888 ? -log(0) : p4))
          i5 = (p5 == 777 ? log(-1) : p5)
          korder init p4
          aone upsamp k(1)
          arows[] init 1
          arows[0] = aone
          anoise rand 0.5, 0.5, 1
          \(call.line)
          outc a1
        endin
        """, score: "i1 0 0.1 \(fields) 0 0 0 0 0\nf0 0.2")
      let errors = performance.messages.filter { $0.contains("\(opcode): ") }
      #expect(errors.count == (sentence.isEmpty ? 0 : 1), "\(fields): \(errors)")
      #expect(errors.allSatisfy { $0.contains(sentence) }, "\(fields): \(errors)")
      #expect(performance[0].contains { $0 != 0 } == sentence.isEmpty, "\(fields)")
    }
  }

  private static func isInName(_ character: Character) -> Bool {
    character.isUppercase || character.isNumber
  }
}
