// The channels of an a[] computed side by side, eight at a time.

public import CCsound
public import CVector

/// Eight channels of an `a[]` that is read; places after its last channel repeat that one.
@frozen
public struct AudioInputLanes: BitwiseCopyable {
  @usableFromInline let channels: cv_channels

  @inlinable @inline(__always)
  init(channels: cv_channels) { self.channels = channels }

  /// The channels' samples of a frame.
  @inlinable public subscript(frame: Int) -> Lanes {
    @inline(__always) @_semantics("no_performance_analysis") get {
      Lanes(values: cv_lanes_read(channels, frame))
    }
  }
}

/// Eight channels of an `a[]` that is written. Places after its last channel write that one again:
/// compute there what the last channel gets, from an `AudioInputLanes` of the same place.
@frozen
public struct AudioOutputLanes: BitwiseCopyable {
  @usableFromInline let channels: cv_channels

  @inlinable @inline(__always)
  init(channels: cv_channels) { self.channels = channels }

  /// The channels' samples of a frame.
  @inlinable public subscript(frame: Int) -> Lanes {
    @inline(__always) @_semantics("no_performance_analysis") get {
      Lanes(values: cv_lanes_read(channels, frame))
    }
    @inline(__always) @_semantics("no_performance_analysis") nonmutating set {
      cv_lanes_write(newValue.values, channels, frame)
    }
  }
}

extension ArrayInput<AudioInput> {
  /// Eight channels from an index on, below `count`.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public func lanes(from first: Int) -> AudioInputLanes {
    let memory = array.pointee
    return AudioInputLanes(
      channels: cv_channels_from(memory.data, Int(memory.arrayMemberSize), first, count))
  }
}

extension ArrayOutput<AudioOutput> {
  /// Eight channels from an index on, below `count`.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public func lanes(from first: Int) -> AudioOutputLanes {
    let memory = array.pointee
    return AudioOutputLanes(
      channels: cv_channels_from(memory.data, Int(memory.arrayMemberSize), first, count))
  }
}

/// The states of an opcode that takes an `a[]` and gives one of the same length: one `State` for each
/// eight channels. Part of the opcode's state.
///
/// All bits of a `State` zero must mean silence.
@frozen
public struct ChannelStates<State: BitwiseCopyable>: BitwiseCopyable {
  @usableFromInline let states: Buffer<State>
  /// How many channels there are.
  public let channelCount: Int

  /// Makes `output` as long as `input`, and states for as many channels [init pass]. Takes the
  /// opcode's next buffer.
  ///
  /// `keepingStates` goes on from the states of the init pass before, when they are as many. Throws
  /// when the orchestra has made `output` an array of two or more dimensions.
  public init(
    for input: ArrayInput<AudioInput>, to output: ArrayOutput<AudioOutput>,
    keepingStates: Bool = false, _ context: Context
  ) throws(OpcodeError) {
    channelCount = input.count
    try output.resize(to: channelCount, context)
    states = try context.buffer(
      of: State.self, count: (channelCount + 7) / 8, keepingContents: keepingStates)
  }

  /// How many times eight channels there are, the last one counted whole.
  @inlinable public var groupCount: Int { (channelCount &+ 7) / 8 }

  /// The state of eight channels, those from `8 * group` on.
  @inlinable @inline(__always) public subscript(group: Int) -> State {
    get { states[group] }
    nonmutating set { states[group] = newValue }
  }

  /// Throws when another opcode has changed the length of either array since the init pass.
  @inlinable
  public func check(
    _ input: ArrayInput<AudioInput>, _ output: ArrayOutput<AudioOutput>
  ) throws(OpcodeError) {
    guard input.count == channelCount, output.count == channelCount else {
      throw OpcodeError("the length of its array has changed since the init pass.")
    }
  }
}
