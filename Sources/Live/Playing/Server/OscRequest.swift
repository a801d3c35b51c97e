/// What a message asks for.
enum OscRequest: Equatable {
  /// Sets one channel, whose name is meant literally.
  case set(channel: String, OscMessage.Argument)
  /// Sets the channels that an address names or, as a pattern, matches.
  case setMatching(address: String, OscMessage.Argument)
  /// A score event of numbers, which is played on its frame.
  case event(Character, [Double])
  /// A score line, for events with texts or many p-fields.
  case line(String)
  /// Recalls a preset, within some seconds; 0 is at once.
  case preset(String, seconds: Double)
  case presetNumber(Int)
  case record(Bool)
  case pause(Bool)
  case panic
  case trace
  /// With the port that values are sent to, if it is not the sender's own.
  case subscribe(port: Int?)
  case unsubscribe
  /// An error of another program, which is not answered.
  case error

  /// Whether it is a score event.
  var isEvent: Bool {
    switch self {
    case .event, .line: true
    default: false
    }
  }

  init(_ message: OscMessage) throws(OscRefusal) {
    let (address, arguments) = (message.address, message.arguments)
    switch (address, arguments.first, arguments.count) {
    case ("/channel", .text(let name)?, 2): self = .set(channel: name, arguments[1])
    case ("/channel", _, _):
      throw OscRefusal("/channel takes the name of a channel and a value.")
    case ("/event", .text(let letter)?, _) where ["i", "f", "e"].contains(letter):
      self = try .event(Character(letter), Array(arguments.dropFirst()), address)
    case ("/event", _, _):
      throw OscRefusal("/event takes \"i\", \"f\" or \"e\" and then the p-fields.")
    case ("/note", let instrument?, 2...):
      self = try .event("i", [instrument, .number(0)] + arguments.dropFirst(), address)
    case ("/note", _, _):
      throw OscRefusal("/note takes an instrument, a duration in seconds and p4, p5, ….")
    case ("/preset", .text(let name)?, 1): self = .preset(name, seconds: 0)
    case ("/preset", .number(let number)?, 1) where Int(exactly: number) != nil:
      self = .presetNumber(Int(number))
    case ("/preset", .text(let name)?, 2):
      guard case .number(let seconds) = arguments[1],
        (0...PanelDesk.longestMorph).contains(seconds)
      else {
        throw OscRefusal("/preset takes after a name the seconds to get there, from 0 to 600.")
      }
      self = .preset(name, seconds: seconds)
    case ("/preset", _, _):
      throw OscRefusal("/preset takes a name and maybe seconds, or a number from 1.")
    case ("/record", .number(let isOn)?, 1) where [0, 1].contains(isOn): self = .record(isOn == 1)
    case ("/record", _, _): throw OscRefusal("/record takes 1 or 0.")
    case ("/pause", .number(let isOn)?, 1) where [0, 1].contains(isOn): self = .pause(isOn == 1)
    case ("/pause", _, _): throw OscRefusal("/pause takes 1 or 0.")
    case ("/panic", _, _): self = .panic
    case ("/trace", nil, _): self = .trace
    case ("/trace", _, _): throw OscRefusal("/trace takes nothing.")
    case ("/subscribe", nil, _): self = .subscribe(port: nil)
    case ("/subscribe", .number(let port)?, 1)
    where Int(exactly: port).map { (1...65535).contains($0) } == true:
      self = .subscribe(port: Int(port))
    case ("/subscribe", _, _):
      throw OscRefusal("/subscribe takes a port from 1 to 65535, or nothing.")
    case ("/unsubscribe", _, _): self = .unsubscribe
    case ("/error", _, _): self = .error
    case (_, let value?, 1): self = .setMatching(address: address, value)
    default: throw OscRefusal("A channel takes one value, not \(arguments.count).")
    }
  }

  private static let lineLimit = 1000

  private static func event(
    _ letter: Character, _ fields: [OscMessage.Argument], _ address: String
  ) throws(OscRefusal) -> OscRequest {
    let least = letter == "i" ? 3 : letter == "f" ? 2 : 0
    guard fields.count >= least else {
      throw OscRefusal("\(address) needs at least p1 to p\(least) of a statement \(letter).")
    }
    var numbers: [Double] = []
    var line = "\(letter)"
    for field in fields {
      switch field {
      case .number(let number) where number.isFinite:
        numbers.append(number)
        line += " \(number)"
      case .text(let text) where !text.contains { $0 == "\"" || $0 == "\\" || $0.isNewline }:
        line += " \"\(text)\""
      default:
        throw OscRefusal(
          "\(address) takes finite numbers, and texts without quotes, \\ and line ends.")
      }
    }
    if numbers.count == fields.count, (1...12).contains(numbers.count) {
      return .event(letter, numbers)
    }
    guard line.utf8.count <= lineLimit else {
      throw OscRefusal("\(address) takes p-fields of \(lineLimit) characters at most.")
    }
    return .line(line)
  }
}
