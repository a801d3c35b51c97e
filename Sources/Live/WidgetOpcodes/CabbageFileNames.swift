// Sname cabbageGetFilename Spath             the part behind the last /
// Sname cabbageGetFileNoExtension Spath      the same without the extension
// Sextension cabbageGetFileExtension Spath   from the last dot on; empty without one
// Sfolder cabbageGetFilePath Spath           the part in front of the last /

import OpcodeKit

@Opcode("cabbageGetFilename", "A part of a file's path; which one, the opcode's name says")
struct FileNamePart: ControlOpcode {
  struct Arguments: BitwiseCopyable {
    let part: StringOutput
    let path: StringInput
  }

  private enum Part { case name, bareName, fileExtension, folder }

  private static let parts: [String: Part] = [
    "cabbageGetFileNoExtension": .bareName, "cabbageGetFileExtension": .fileExtension,
    "cabbageGetFilePath": .folder,
  ]
  private let wanted: Part

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    wanted = Self.parts[context.opcodeName] ?? .name
    arguments.part.reserve(WidgetBoard.longestText, context)
    copy(from: arguments.path, to: arguments.part)
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    copy(from: arguments.path, to: arguments.part)
  }

  private func copy(from path: StringInput, to part: StringOutput) {
    let bytes = path.bytes
    let slash = bytes.lastIndex(of: UInt8(ascii: "/"))
    let start = slash.map { $0 + 1 } ?? 0
    let dot = bytes[start...].lastIndex(of: UInt8(ascii: ".")) ?? bytes.count
    let range =
      switch wanted {
      case .name: start..<bytes.count
      case .bareName: start..<dot
      case .fileExtension: dot..<bytes.count
      case .folder: 0..<(slash ?? 0)
      }
    part.replace(count: range.count) { bytes[range.lowerBound + $0] }
  }
}
