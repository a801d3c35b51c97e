import Panels
import Playing
import Testing

@Suite("What a panel's server knows")
struct StateTests {
  private static var state: PanelState {
    var panel = Panel("Two", from: .file)
    panel.add(PanelWidget(.slider, channels: ["a"], ranges: [ValueRange(0, 2)]))
    panel.add(PanelWidget(.slider, channels: ["a"], ranges: [ValueRange(-1, 1)]))
    panel.add(PanelWidget(.meter, channels: ["b"]))
    return PanelState(panel)
  }

  @Test("A channel takes what any of its widgets can set; what is only shown takes nothing")
  func bounds() {
    let state = Self.state
    #expect(state.channels.map(\.name) == ["a", "b"])
    #expect(state.channels[0].bounds == -1...2)
    #expect(state.channels[1].bounds == nil)
  }

  @Test("What the piece still has of before is no news; what it has later is")
  func settling() {
    var state = Self.state
    state.observe(0, 0, at: 0, hasAdvanced: true)
    #expect(state.channels[0].value == .number(0))
    state.set(0, to: .number(1), by: 7, at: 1)
    // Cycles from before the change.
    state.observe(0, 0, at: 1.01, hasAdvanced: true)
    #expect(state.channels[0].value == .number(1))
    // A drag: the piece is always a little behind.
    state.set(0, to: .number(1.5), by: 7, at: 1.02)
    state.observe(0, 1, at: 1.03, hasAdvanced: true)
    #expect(state.channels[0].value == .number(1.5))
    state.observe(0, 1.5, at: 1.04, hasAdvanced: true)
    state.observe(0, 0.5, at: 1.05, hasAdvanced: true)
    #expect(state.channels[0].value == .number(0.5))
    #expect(state.channels[0].author == 0)
  }

  @Test("A piece that does not take a value overrules it, but not while it stands still")
  func overruling() {
    var state = Self.state
    state.observe(0, 0, at: 0, hasAdvanced: true)
    state.set(0, to: .number(1), by: 7, at: 1)
    state.observe(0, 0, at: 2, hasAdvanced: false)
    #expect(state.channels[0].value == .number(1))
    state.observe(0, 0, at: 2.1, hasAdvanced: true)
    #expect(state.channels[0].value == .number(0))
  }

  @Test("A client hears the latest of what changed since, and nothing of its own")
  func news() {
    var state = Self.state
    state.set(0, to: .number(1), by: 7, at: 0)
    state.set(0, to: .number(2), by: 7, at: 0)
    state.set(1, to: .number(3), by: 0, at: 0)
    #expect(state.news(since: 0, for: 8).map(\.name) == ["a", "b"])
    #expect(state.news(since: 1, for: 8).first?.value == .number(2))
    #expect(state.news(since: 1, for: 7).map(\.name) == ["b"])
    #expect(state.news(since: state.lastChange, for: 8).isEmpty)
    // Who knows nothing yet hears what it has set itself, too.
    #expect(state.news(since: 0, for: 7).map(\.name) == ["a", "b"])
  }
}

@Suite("How many messages a client may send")
struct AllowanceTests {
  @Test("So many a second, and after a rest of any length no more than a second's at once")
  func burst() {
    var allowance = Allowance(perSecond: 10)
    func taken(at now: Double) -> Int { (0..<100).prefix { _ in allowance.take(at: now) }.count }
    #expect(taken(at: 5) == 10)
    #expect(taken(at: 5.5) == 5)
    #expect(taken(at: 1000) == 10)
    // A clock that goes back gives nothing.
    #expect(taken(at: 3) == 0)
  }
}

@Suite("Pictures of tables")
struct TablePictureTests {
  @Test("No peak is lost in a long table; a short one is drawn sample by sample")
  func peaks() {
    var long = [Double](repeating: 0.5, count: 100_003)
    long[77_777] = -9
    long[12] = 7
    let picture = TablePicture(long)
    #expect(picture.length == 100_003 && picture.low.count == TablePicture.columns)
    #expect(picture.low.min() == -9 && picture.high.max() == 7)
    #expect(picture.low.count { $0 != 0.5 } == 1 && picture.high.count { $0 != 0.5 } == 1)
    let short = TablePicture([1, -1, 2])
    #expect(short.low == [1, -1, 2] && short.high == short.low)
    #expect(TablePicture([]).low.isEmpty)
  }
}

@Suite("Who may reach a panel")
struct AdmissionTests {
  @Test(
    "With a token a browser is introduced once and known by its cookie; without either it is refused"
  )
  func token() {
    let token = PanelAccess.newToken()
    #expect(token.count == 32 && token != PanelAccess.newToken())
    let admission = Admission(names: ["10.0.0.2"], port: 8642, isSecure: true, token: token)
    let (host, origin) = ("10.0.0.2:8642", "https://10.0.0.2:8642")
    func file(_ cookies: String?, _ shown: String? = nil) -> Admission.Verdict {
      admission.file(.init(host: host, cookies: cookies, token: shown))
    }
    guard case .introduced(let cookie) = file(nil, token) else {
      return #expect(Bool(false), "not introduced")
    }
    #expect(["HttpOnly", "Secure", "SameSite=Lax"].allSatisfy { cookie.contains($0) })
    let kept = String(cookie.prefix { $0 != ";" })
    #expect(file(kept) == .granted && file("a=b; \(kept)") == .granted)
    let wrong = String(token.dropLast()) + (token.last == "0" ? "1" : "0")
    for (cookies, shown) in [
      (nil, nil), (nil, wrong), (nil, ""), ("opcodekit-panel-8642=\(wrong)", nil),
      ("opcodekit-panel-8642=", nil), ("other=\(token)", nil),
    ] as [(String?, String?)] {
      guard case .refused(403, _) = file(cookies, shown) else {
        #expect(Bool(false), "\(cookies ?? "-") \(shown ?? "-")")
        continue
      }
    }
    #expect(admission.socket(.init(host: host, origin: origin, cookies: kept)) == .granted)
    let capitals = Admission.Request(host: host, origin: origin.uppercased(), cookies: kept)
    #expect(admission.socket(capitals) == .granted)
    for request in [
      Admission.Request(host: host, origin: origin), .init(host: host, cookies: kept),
      .init(host: host, origin: "http://10.0.0.2:8642", cookies: kept),
      .init(host: "evil.example:8642", origin: origin, cookies: kept),
      .init(host: host, origin: origin, token: token),
    ] {
      #expect(admission.socket(request) != .granted)
    }
  }

  @Test("A QR code is a square of modules with a margin")
  func picture() throws {
    let text = try #require(
      QRCode.terminalText("https://192.168.1.20:8642/?token=0123456789abcdef"))
    let lines = text.split(separator: "\n").map { $0.split(separator: "\u{1B}")[0].dropFirst(7) }
    let width = try #require(lines.first).count
    #expect(lines.allSatisfy { $0.count == width } && (width - 4 - 17) % 4 == 0)
    #expect(lines[0].allSatisfy { $0 == "█" })
    // The corner that tells a camera where the code begins.
    #expect(lines[1].hasPrefix("██ ▄▄▄▄▄ █"))
  }
}
