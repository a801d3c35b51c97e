/// What is wrong with a pairing, in a sentence.
struct PairingProblem: Error {
  var sentence: String

  init(_ sentence: String) { self.sentence = sentence }
}
