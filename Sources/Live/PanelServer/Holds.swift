/// What clients hold down: buttons and keys. What several hold begins with the first and ends with the last.
struct Holds {
  enum Thing: Hashable {
    case widget(String)
    case key(widget: String, key: Int)
  }

  private var holders: [Thing: Set<Int>] = [:]

  /// A client holds something; true where nobody did before.
  mutating func hold(_ thing: Thing, by client: Int) -> Bool {
    let isFirst = holders[thing] == nil
    holders[thing, default: []].insert(client)
    return isFirst
  }

  /// A client lets something go; true where nobody holds it any more.
  mutating func letGo(_ thing: Thing, by client: Int) -> Bool {
    guard var clients = holders[thing], clients.remove(client) != nil else { return false }
    holders[thing] = clients.isEmpty ? nil : clients
    return clients.isEmpty
  }

  /// What a client holds.
  func held(by client: Int) -> [Thing] { holders.filter { $0.value.contains(client) }.map(\.key) }

  /// What anybody holds.
  var all: [Thing] { Array(holders.keys) }
}
