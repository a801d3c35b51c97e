import CsoundLive
import Foundation

/// Plays so many times, and prints what of it stayed in the process.
func printRemains(of count: Int) {
  func descriptors() -> Int {
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? -1
  }
  func residentPages() -> Int {
    let text = (try? String(file: "/proc/self/statm")) ?? ""
    return Int(text.split(separator: " ").dropFirst().first ?? "") ?? -1
  }
  func play() {
    let performance = Performance(
      Piece(.orchestra("sr = 48000\n0dbfs = 1\ninstr 1\nendin\n", score: "i 1 0 0.002")),
      settings: Settings(device: .null, period: 64))
    guard (try? performance.play()) != nil else { return print("cannot play") }
    performance.wait()
  }
  for _ in 0..<5 { play() }
  let before = (descriptors(), residentPages())
  for _ in 0..<count { play() }
  print("\(descriptors() - before.0) descriptors, \(residentPages() - before.1) pages")
}
