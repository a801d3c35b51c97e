/// The buttons and keys that clients hold down. If several clients hold one, it is pressed by the first and released by
/// the last.
struct Holds {
  enum Thing: Hashable {
    case widget(String)
    case key(widget: String, key: Int)
  }

  private var holders: [Thing: Set<Int>] = [:]

  /// Notes that a client holds a thing down; true if no client did before.
  mutating func hold(_ thing: Thing, by client: Int) -> Bool {
    let isFirst = holders[thing] == nil
    holders[thing, default: []].insert(client)
    return isFirst
  }

  /// Notes that a client releases a thing; true if no client holds it any more.
  mutating func letGo(_ thing: Thing, by client: Int) -> Bool {
    guard var clients = holders[thing], clients.remove(client) != nil else { return false }
    holders[thing] = clients.isEmpty ? nil : clients
    return clients.isEmpty
  }

  /// The things that a client holds.
  func held(by client: Int) -> [Thing] { holders.filter { $0.value.contains(client) }.map(\.key) }
}
