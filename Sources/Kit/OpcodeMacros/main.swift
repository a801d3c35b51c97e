@_spi(PluginMessage) import SwiftCompilerPluginMessageHandling
import SwiftSyntaxMacros

/// The macros that the compiler can request. Written out here because the toolchain lacks the
/// module `SwiftCompilerPlugin`, which would do this.
private struct Macros: PluginProvider {
  struct Unknown: Error {}

  func resolveMacro(moduleName: String, typeName: String) throws -> any Macro.Type {
    switch typeName {
    case "OpcodeMacro": OpcodeMacro.self
    case "ArgumentMacro": ArgumentMacro.self
    case "PluginMacro": PluginMacro.self
    case "StructMacro": StructMacro.self
    default: throw Unknown()
    }
  }
}

try CompilerPluginMessageListener(
  connection: StandardIOMessageConnection(), provider: Macros()
).main()
