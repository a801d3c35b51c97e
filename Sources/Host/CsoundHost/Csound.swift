import CProcess
public import CCsound
import Foundation

/// One Csound engine, performed offline by its owner: samples come out of `output`, nothing is
/// opened or written.
///
/// An engine belongs to one thread at a time. The order is: `init`, `compile`, then `performKsmps`
/// until it returns false. `reset` goes back to before `compile`.
public final class Csound {
  /// The engine itself, for calls this class does not wrap. Owned by this object.
  public let engine: UnsafeMutablePointer<CSOUND>

  /// Adds opcodes to a fresh engine. Csound forgets host-registered opcodes at every reset.
  public typealias Registration = (UnsafeMutablePointer<CSOUND>) -> Void

  private let register: Registration
  private let log: MessageLog

  /// Creates an engine with the opcodes `register` adds to it.
  ///
  /// Csound loads the plugins in its plugin directory here, and again in `reset`.
  public init(registering register: @escaping Registration = { _ in }) throws(CsoundError) {
    Self.prepareProcess
    let log = MessageLog()
    let engine = Self.inside("it was created") {
      ccs_create(Unmanaged.passUnretained(log).toOpaque())
    }
    guard let engine else {
      throw .unavailable("csoundCreate returned no engine.")
    }
    Self.keepJack
    self.engine = engine
    self.log = log
    self.register = register
    configure()
  }

  // Csound keeps pointers into its command line, so the strings live as long as the engine.
  private var argumentMemory: [UnsafePointer<CChar>?] = []

  private var isClosed = false

  /// Ends the engine on this thread, before its owner goes; nothing may be done with it afterwards.
  public func close() {
    guard !isClosed else { return }
    isClosed = true
    Self.inside("it ended") { csoundDestroy(engine) }
  }

  deinit {
    close()
    for string in argumentMemory { free(UnsafeMutablePointer(mutating: string)) }
  }

  /// Runs what crosses into Csound, so that a crash of this process can say that it was in there.
  ///
  /// `work` says what Csound did, as the end of a sentence that begins "Csound crashed while".
  public static func inside<Result, Problem: Error>(
    _ work: StaticString, _ body: () throws(Problem) -> Result
  ) throws(Problem) -> Result {
    func text(_ start: UnsafePointer<UInt8>) -> UnsafePointer<CChar> {
      UnsafeRawPointer(start).assumingMemoryBound(to: CChar.self)
    }
    let outer = crash_under_way(text(work.utf8Start))
    defer { _ = crash_under_way(outer) }
    return try body()
  }

  private func configure() {
    csoundSetMessageStringCallback(engine, Self.takeMessage)
    ccs_take_audio(engine)
    register(engine)
  }

  /// What an engine calls with each of its messages.
  public typealias MessageFunction =
    @convention(c) (UnsafeMutablePointer<CSOUND>?, CInt, UnsafePointer<CChar>?) -> Void
  public static let takeMessage: MessageFunction = { engine, _, text in
    guard let text, let log = csoundGetHostData(engine) else { return }
    Unmanaged<MessageLog>.fromOpaque(log).takeUnretainedValue().append(String(cString: text))
  }

  /// Has the engine's messages handed to a function of the host's own, with host data of its own, until
  /// `keepMessages`. What was said so far stays in `messages`.
  public func send(messagesTo function: @escaping MessageFunction, _ data: UnsafeMutableRawPointer?)
  {
    csoundSetHostData(engine, data)
    csoundSetMessageStringCallback(engine, function)
  }

  /// Keeps the engine's messages in `messages` again.
  public func keepMessages() {
    send(messagesTo: Self.takeMessage, Unmanaged.passUnretained(log).toOpaque())
  }

  /// Compiles a CSD and starts the engine, with the options of the `csound` command.
  ///
  /// The options win over the file's own `<CsOptions>`. `beforeStart` is called when the orchestra is
  /// compiled and nothing of it has run. The corresponding C functions are `csoundCompileArgs`, which Csound 7
  /// calls `csoundCompile`, and `csoundStart`.
  public func compile(
    _ path: String, options: [String] = [], beforeStart: () throws(CsoundError) -> Void = {}
  ) throws(CsoundError) {
    let arguments =
      ["csound", "-n", "-d", "-+msg_color=0", "-+rtmidi=null"] + options
      + [path.hasPrefix("-") ? "./" + path : path]
    let first = log.count
    var pointers = arguments.map { UnsafePointer(strdup($0)) }
    argumentMemory += pointers
    var status = Self.inside("it compiled") {
      ccs_compile(engine, CInt(arguments.count), &pointers)
    }
    if status == 0 {
      try beforeStart()
      status = Self.inside("it started") { csoundStart(engine) }
    }
    guard status == 0 else {
      throw .orchestra(path: path, message: log.diagnosis(from: first))
    }
    if ccs_thread_count(engine) > 1 { makeTransformTables() }
  }

  /// Performs one k-cycle. False when the score has ended.
  ///
  /// The corresponding C function is `csoundPerformKsmps`.
  public func performKsmps() -> Bool {
    Self.inside("it performed") { csoundPerformKsmps(engine) == 0 }
  }

  /// Performs until the score has ended. Only so do the threads of `-j` come to an end, a moment later.
  /// `eachCycle` is called where that is done a k-cycle at a time, which it is with Csound 7.
  ///
  /// The corresponding C function is `csoundPerform`, which Csound 7 has no more.
  public func perform(eachCycle: () -> Void = {}) {
    guard Self.inside("it performed", { ccs_perform_whole(engine) == 0 }) else { return }
    while performKsmps() { eachCycle() }
  }

  /// Goes back to the state before `compile`: plugins are unloaded and loaded again, opcodes are
  /// registered again.
  ///
  /// The corresponding C function is `csoundReset`.
  public func reset() {
    Self.inside("it was reset") { csoundReset(engine) }
    log.clear()
    configure()
  }

  /// The samples of the last k-cycle: `ksmps` frames of `channelCount` samples, in orchestra units.
  public var output: UnsafeBufferPointer<Double> {
    UnsafeBufferPointer(start: csoundGetSpout(engine), count: ksmps * channelCount)
  }

  /// The samples the next k-cycle reads, `ksmps` frames of `inputChannelCount` samples.
  public var input: UnsafeMutableBufferPointer<Double> {
    UnsafeMutableBufferPointer(start: csoundGetSpin(engine), count: ksmps * inputChannelCount)
  }

  /// Samples per second.
  public var sampleRate: Double { csoundGetSr(engine) }
  /// Samples in a k-cycle.
  public var ksmps: Int { Int(csoundGetKsmps(engine)) }
  /// Output channels.
  public var channelCount: Int { Int(ccs_channel_count(engine)) }
  /// Input channels.
  public var inputChannelCount: Int { Int(ccs_input_channel_count(engine)) }
  /// The amplitude of full scale.
  public var fullScale: Double { csoundGet0dBFS(engine) }

  /// Everything Csound has said since it was created or reset, as lines.
  public var messages: [String] { log.lines }

  /// The errors of notes since then: init errors, performance errors, deleted notes.
  public var noteErrors: [String] { log.noteErrors }

  /// The errors of function tables since then, those of the score too.
  public var tableErrors: [String] { log.tableErrors }

  /// Whether there is a score; without one a performance never ends by itself.
  public var hasScore: Bool { !log.lines.contains { $0.contains("scoreless operation") } }

  /// Csound's version, such as `6.18`.
  public static var version: String {
    let version = Int(csoundGetVersion())
    return "\(version / 1000).\(version / 10 % 100)"
  }

  /// Its first number.
  public static var major: Int { Int(csoundGetVersion()) / 1000 }

  /// Keeps Csound from installing signal handlers, which would turn a crash into exit 1, and from
  /// printing while engines come and go.
  private static let prepareProcess: Void = {
    csoundSetDefaultMessageCallback { _, _, _, _ in }
    _ = csoundInitialize(CSOUNDINIT_NO_SIGNAL_HANDLER | CSOUNDINIT_NO_ATEXIT)
  }()

  /// Keeps libjack where one of Csound's plugins has loaded it. Csound unloads its plugins with every
  /// engine, and libjack 1.9.21 crashes in its own initialisation when it has come and gone some
  /// hundreds of times.
  private static let keepJack: Void = {
    _ = dlopen("libjack.so.0", RTLD_NOW | RTLD_NODELETE | RTLD_NOLOAD)
  }()
}

/// Why an engine could not do what it was asked.
public enum CsoundError: Error, Equatable, Sendable {
  /// Csound itself cannot be used.
  case unavailable(String)
  /// Csound refused the CSD; `message` is Csound's own account in one line.
  case orchestra(path: String, message: String)
}
