import DevCommands
import Testing

@Suite("Clients of a panel, as `dev timing panel` has them")
struct ClientTrialTests {
  @Test(
    "Each message of two clients is answered and arrives in its channel", .timeLimit(.minutes(1)))
  func clients() throws {
    let row = try ClientTrial.run(clients: 2, rate: 100, seconds: 0.5)
    #expect(row.clients == 2)
    // How many fit into half a second is up to the machine; a message without an answer is an error.
    #expect(row.answered.count >= 2 && row.arrived.count >= 2)
    #expect(row.answered.median > 0 && row.answered.median <= row.answered.worst)
    #expect(row.arrived.median > 0 && row.arrived.median <= row.arrived.worst)
  }
}
