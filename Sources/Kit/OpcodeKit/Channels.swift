// The channels of an a[] processed in parallel, eight at a time.

public import CCsound
public import CVector

/// Eight channels of an `a[]` that is read. Lanes beyond the last channel repeat the last channel.
@frozen
public struct AudioInputLanes: BitwiseCopyable {
  @usableFromInline let channels: cv_channels

  @inlinable @inline(__always)
  init(channels: cv_channels) { self.channels = channels }

  /// One frame of the eight channels.
  @inlinable public subscript(frame: Int) -> Lanes {
    @inline(__always) @_semantics("no_performance_analysis") get {
      Lanes(values: cv_lanes_read(channels, frame))
    }
  }
}

/// Eight channels of an `a[]` that is written. Lanes beyond the last channel write the last channel again, so they must
/// hold the same values as its own lane; they do when the input is an `AudioInputLanes` from the same index.
@frozen
public struct AudioOutputLanes: BitwiseCopyable {
  @usableFromInline let channels: cv_channels

  @inlinable @inline(__always)
  init(channels: cv_channels) { self.channels = channels }

  /// One frame of the eight channels.
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
  /// Eight channels from index `first` on; `first` must be below `count`.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public func lanes(from first: Int) -> AudioInputLanes {
    let memory = array.pointee
    return AudioInputLanes(
      channels: cv_channels_from(memory.data, Int(memory.arrayMemberSize), first, count))
  }
}

extension ArrayOutput<AudioOutput> {
  /// Eight channels from index `first` on; `first` must be below `count`.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public func lanes(from first: Int) -> AudioOutputLanes {
    let memory = array.pointee
    return AudioOutputLanes(
      channels: cv_channels_from(memory.data, Int(memory.arrayMemberSize), first, count))
  }
}

/// The states of an opcode that takes an `a[]` and returns one of the same length: one `State` for every eight
/// channels. Part of the opcode's state.
///
/// A `State` whose bits are all zero must mean silence.
@frozen
public struct ChannelStates<State: BitwiseCopyable>: BitwiseCopyable {
  @usableFromInline let states: Buffer<State>
  /// Number of channels.
  public let channelCount: Int

  /// Makes `output` as long as `input` and allocates the states for all channels [init pass]. Uses the opcode's next
  /// buffer.
  ///
  /// With `keepingStates` the states of the previous init pass are kept if the number of groups is the same; otherwise
  /// all states are zeroed.
  ///
  /// Throws when `output` has two or more dimensions in the orchestra.
  public init(
    for input: ArrayInput<AudioInput>, to output: ArrayOutput<AudioOutput>,
    keepingStates: Bool = false, _ context: Context
  ) throws(OpcodeError) {
    channelCount = input.count
    try output.resize(to: channelCount, context)
    states = try context.buffer(
      of: State.self, count: (channelCount + 7) / 8, keepingContents: keepingStates)
  }

  /// Number of groups of eight channels, rounded up.
  @inlinable public var groupCount: Int { (channelCount &+ 7) / 8 }

  /// The state of the eight channels from `8 * group` on.
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
