import CProcess
public import CCsound
import Foundation

/// One Csound engine that renders offline: the samples appear in `output`; no audio device is opened
/// and no file is written.
///
/// An engine belongs to one thread at a time. The order is: `init`, `compile`, then `performKsmps`
/// until it returns false. `reset` goes back to the state before `compile`.
public final class Csound {
  /// The engine itself, for calls this class does not wrap. Owned by this object.
  public let engine: UnsafeMutablePointer<CSOUND>

  /// Adds opcodes to a new engine. It is called again after every reset, because Csound then forgets
  /// opcodes that the host has registered.
  public typealias Registration = (UnsafeMutablePointer<CSOUND>) -> Void

  private let register: Registration
  let log: MessageLog

  /// Creates an engine with the opcodes `register` adds to it.
  ///
  /// Csound loads the plugins in its plugin directory here, and again in `reset`.
  public init(registering register: @escaping Registration = { _ in }) throws(CsoundError) {
    Self.prepareProcess
    let log = MessageLog()
    let engine = Self.inside("it was created") {
      ccs_create(Unmanaged.passUnretained(log).toOpaque())
    }
    guard let engine else { throw .unavailable("csoundCreate returned no engine.") }
    Self.keepJack()
    self.engine = engine
    self.log = log
    self.register = register
    configure()
  }

  // Csound keeps pointers into its command line, so the strings live as long as the engine.
  private var argumentMemory: [UnsafePointer<CChar>?] = []

  private var isClosed = false
  private var needsCalls = false
  // Those of `-j`.
  private var threads: UnsafeMutablePointer<ccs_threads>?

  /// Destroys the engine on this thread, before this object is released. The engine must not be used
  /// afterwards.
  public func close() {
    guard !isClosed else { return }
    isClosed = true
    endThreads()
    Self.inside("it ended") { csoundDestroy(engine) }
  }

  deinit {
    close()
    for string in argumentMemory { free(UnsafeMutablePointer(mutating: string)) }
  }

  /// Runs code that calls Csound, so that the report of a crash can say that it happened in Csound.
  ///
  /// `work` says what Csound was doing, as the end of a sentence that begins "Csound crashed while".
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

  /// The function an engine calls with each of its messages.
  public typealias MessageFunction =
    @convention(c) (UnsafeMutablePointer<CSOUND>?, CInt, UnsafePointer<CChar>?) -> Void
  public static let takeMessage: MessageFunction = { engine, _, text in
    guard let text, let log = csoundGetHostData(engine) else { return }
    Unmanaged<MessageLog>.fromOpaque(log).takeUnretainedValue().append(String(cString: text))
  }

  /// Sends the engine's messages to `function` until `keepMessages` is called; `data` becomes the
  /// engine's host data. Messages received before stay in `messages`.
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
  /// The options override the file's own `<CsOptions>`. `beforeStart` is called after the orchestra is
  /// compiled and before anything of it runs. The corresponding C functions are `csoundStart` and
  /// `csoundCompileArgs`, which is `csoundCompile` in Csound 7.
  public func compile(
    _ path: String, options: [String] = [], beforeStart: () throws(CsoundError) -> Void = {}
  ) throws(CsoundError) {
    let arguments =
      ["csound", "-n", "-d", "-+msg_color=0", "-+rtmidi=null"] + options
      + [path.hasPrefix("-") ? "./" + path : path]
    let first = log.count
    if let reason = Self.endlessFile(in: path) { throw .orchestra(path: path, message: reason) }
    var pointers = arguments.map { UnsafePointer(strdup($0)) }
    argumentMemory += pointers
    var status = Self.inside("it compiled") {
      ccs_compile(engine, CInt(arguments.count), &pointers)
    }
    // Csound 7 loads its plugins here.
    Self.keepJack()
    // With `--port` and `--daemon`, Csound goes on without the orchestra.
    if log.saysRefused(from: first) { status = -1 }
    if status == 0 {
      try beforeStart()
      status = Self.inside("it started") { ccs_start(engine, &threads) }
    }
    guard status == 0 else { throw .orchestra(path: path, message: log.diagnosis(from: first)) }
    needsCalls = ccs_needs_calls(engine)
    if ccs_thread_count(engine) > 1 { makeTransformTables() }
  }

  /// Why a CSD must not be compiled: Csound 6.18 and 7.0 find no end of a section `<CsFile>` and write until the disk is
  /// full. Nil without such a section.
  public static func endlessFile(in path: String) -> String? {
    guard let data = FileManager.default.contents(atPath: path),
      String(decoding: data, as: UTF8.self).contains(/(^|\n)[ \t]*<CsFile\s/)
    else { return nil }
    return "Csound never comes to the end of a section <CsFile>; put its file beside the CSD and"
      + " take the section out."
  }

  /// Performs one k-cycle. Returns false when the score has ended.
  ///
  /// The corresponding C function is `csoundPerformKsmps`.
  public func performKsmps() -> Bool {
    Self.inside("it performed") {
      (needsCalls ? ccs_perform_cycle(engine) : csoundPerformKsmps(engine)) == 0
    }
  }

  private func endThreads() {
    Self.inside("its threads ended") { ccs_end_threads(threads) }
    threads = nil
  }

  /// Goes back to the state before `compile`: Csound unloads its plugins and loads them again, and the
  /// opcodes are registered again.
  ///
  /// The corresponding C function is `csoundReset`.
  public func reset() {
    endThreads()
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
  /// Sample frames in a k-cycle.
  public var ksmps: Int { Int(csoundGetKsmps(engine)) }
  /// Output channels.
  public var channelCount: Int { Int(ccs_channel_count(engine)) }
  /// Input channels.
  public var inputChannelCount: Int { Int(ccs_input_channel_count(engine)) }
  /// The amplitude of full scale.
  public var fullScale: Double { csoundGet0dBFS(engine) }

  /// Everything Csound has said since it was created or reset, as lines.
  public var messages: [String] { log.lines }

  /// Errors of notes since the engine was created or reset: init errors, performance errors, deleted
  /// notes.
  public var noteErrors: [String] { log.noteErrors }

  /// Errors of function tables, score tables included, since the engine was created or reset.
  public var tableErrors: [String] { log.tableErrors }

  /// Whether there is a score; without one a performance never ends by itself.
  public var hasScore: Bool { !log.lines.contains { $0.contains("scoreless operation") } }

  /// Csound's version, such as `6.18`.
  public static var version: String {
    let version = Int(csoundGetVersion())
    return "\(version / 1000).\(version / 10 % 100)"
  }

  /// Csound's major version, such as 6.
  public static var major: Int { Int(csoundGetVersion()) / 1000 }

  /// Keeps Csound from installing signal handlers, which would turn a crash into exit code 1, and from
  /// printing while engines are created and destroyed.
  private static let prepareProcess: Void = {
    csoundSetDefaultMessageCallback { _, _, _, _ in }
    _ = csoundInitialize(CSOUNDINIT_NO_SIGNAL_HANDLER | CSOUNDINIT_NO_ATEXIT)
  }()

  /// Keeps libjack in memory if one of Csound's plugins has loaded it. Csound unloads its plugins with
  /// every engine, and libjack 1.9.21 crashes in its own initialisation after it has been loaded and
  /// unloaded some hundreds of times.
  private static func keepJack() {
    _ = dlopen("libjack.so.0", RTLD_NOW | RTLD_NODELETE | RTLD_NOLOAD)
  }
}

/// Why an engine could not do what it was asked.
public enum CsoundError: Error, Equatable, Sendable {
  /// Csound itself cannot be used.
  case unavailable(String)
  /// Csound refused the CSD; `message` is Csound's own account in one line.
  case orchestra(path: String, message: String)
}
