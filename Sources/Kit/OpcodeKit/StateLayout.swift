#if !hasFeature(Embedded)
  /// The memory layout of a type as text. Two types with the same text can exchange their bits.
  ///
  /// The name of the type itself is not part of the text. Fields are described by name, offset and type, down to the
  /// built-in types, and enumeration cases by name in their order, because the order determines the stored value. There
  /// is no text when the layout cannot be determined, for example for cases with associated values.
  struct StateLayout {
    private var text = ""
    private var isKnown = true
    /// The types being described at the moment: a pointer may lead back to one of them.
    private var path: [ObjectIdentifier]
    /// Whether the description is inside a buffer: its pointers would not be adjusted when it is copied.
    private var isInBuffer = false

    private init(path: [ObjectIdentifier]) { self.path = path }

    static func text(of type: Any.Type) -> String? {
      var layout = StateLayout(path: [ObjectIdentifier(type)])
      layout.addFields(of: type)
      return layout.isKnown ? layout.text : nil
    }

    private mutating func add(_ type: Any.Type) {
      text += _typeName(type, qualified: false)
      guard !path.contains(ObjectIdentifier(type)) else { return }
      path.append(ObjectIdentifier(type))
      defer { path.removeLast() }
      let kind = Runtime.kind(of: type)
      switch kind {
      case .structure, .tuple: addFields(of: type)
      case .enumeration: addCases(of: type)
      case .builtin: if isInBuffer, type == Runtime.pointer { isKnown = false }
      case .optional: isKnown = isKnown && type is any ElementHolder.Type
      case nil: isKnown = false
      }
      if let holder = type as? any ElementHolder.Type {
        let wasInBuffer = isInBuffer
        isInBuffer = isInBuffer || holder.isBuffer
        text += "["
        add(holder.element)
        text += "]"
        isInBuffer = wasInBuffer
      }
    }

    private mutating func addFields(of type: Any.Type) {
      let count = Runtime.childCount(type)
      if count == 0, Runtime.size(type) > 0 { isKnown = false }
      // These types' storage has no fields of its own; the element type describes it completely.
      guard !(type is any InlineStorage.Type) else { return }
      text += "{"
      for index in 0..<count {
        var field = Runtime.Field()
        let child = Runtime.childType(type, index, &field)
        text +=
          " \(field.name.map { String(cString: $0) } ?? "")@\(Runtime.childOffset(type, index)):"
        field.free?(field.name)
        add(child)
      }
      text += "}"
    }

    private mutating func addCases(of type: Any.Type) {
      guard let cases = Runtime.cases(of: type) else {
        isKnown = false
        return
      }
      text += "(\(cases.joined(separator: ",")))"
    }
  }

  /// A type whose element type is not among its fields.
  private protocol ElementHolder {
    static var element: Any.Type { get }
    static var isBuffer: Bool { get }
  }

  extension ElementHolder {
    static var isBuffer: Bool { false }
  }

  private protocol InlineStorage {}

  extension Optional: ElementHolder {
    fileprivate static var element: Any.Type { Wrapped.self }
  }

  extension InlineArray: ElementHolder, InlineStorage {
    fileprivate static var element: Any.Type { Element.self }
  }

  extension UnsafePointer: ElementHolder {
    fileprivate static var element: Any.Type { Pointee.self }
  }

  extension UnsafeMutablePointer: ElementHolder {
    fileprivate static var element: Any.Type { Pointee.self }
  }

  extension Buffer: ElementHolder {
    fileprivate static var element: Any.Type { Element.self }
    fileprivate static var isBuffer: Bool { true }
  }

  /// Type information from Swift's runtime.
  private enum Runtime {
    enum Kind: Int {
      case structure = 0x200
      case enumeration = 0x201
      case optional = 0x202
      case builtin = 0x300
      case tuple = 0x301
    }

    struct Field {
      var name: UnsafePointer<CChar>?
      var free: (@convention(c) (UnsafePointer<CChar>?) -> Void)?
      var isStrong = false
      var isVariable = false
    }

    /// The built-in type inside a pointer type.
    static let pointer: Any.Type = {
      var field = Field()
      let type = childType(UnsafeRawPointer.self, 0, &field)
      field.free?(field.name)
      return type
    }()

    static func kind(of type: Any.Type) -> Kind? {
      Kind(rawValue: unsafeBitCast(type, to: UnsafePointer<Int>.self).pointee)
    }

    static func size(_ type: Any.Type) -> Int {
      func size<T>(_ type: T.Type) -> Int { MemoryLayout<T>.size }
      return _openExistential(type, do: size)
    }

    /// The names of an enumeration's cases; nil when a case has an associated value.
    ///
    /// Source: Swift's documentation of type metadata (docs/ABI/TypeMetadata.rst) and of reflection records.
    static func cases(of type: Any.Type) -> [String]? {
      let descriptor = unsafeBitCast(type, to: UnsafePointer<UnsafeRawPointer>.self)[1]
      guard descriptor.load(fromByteOffset: 20, as: UInt32.self) & 0xFF_FFFF == 0 else {
        return nil
      }
      guard let fields = relative(descriptor + 16) else { return nil }
      let count = Int(fields.load(fromByteOffset: 12, as: UInt32.self))
      return (0..<count).map { index in
        relative(fields + 16 + 12 * index + 8).map {
          String(cString: $0.assumingMemoryBound(to: CChar.self))
        } ?? ""
      }
    }

    /// The target of a relative pointer; nil for none.
    private static func relative(_ place: UnsafeRawPointer) -> UnsafeRawPointer? {
      let distance = Int(place.load(as: Int32.self))
      return distance == 0 ? nil : place + distance
    }

    @_silgen_name("swift_reflectionMirror_recursiveCount")
    static func childCount(_ type: Any.Type) -> Int

    @_silgen_name("swift_reflectionMirror_recursiveChildOffset")
    static func childOffset(_ type: Any.Type, _ index: Int) -> Int

    @_silgen_name("swift_reflectionMirror_recursiveChildMetadata")
    static func childType(
      _ type: Any.Type, _ index: Int, _ field: UnsafeMutablePointer<Field>
    ) -> Any.Type
  }
#endif
