@_spi(PluginMessage) import SwiftCompilerPluginMessageHandling
import SwiftSyntaxMacros

/// The macros the compiler may ask for. It stands here because the toolchain has no
/// `SwiftCompilerPlugin` module that would do this.
private struct Macros: PluginProvider {
  struct Unknown: Error {}

  func resolveMacro(moduleName: String, typeName: String) throws -> any Macro.Type {
    switch typeName {
    case "OpcodeMacro": OpcodeMacro.self
    case "ArgumentMacro": ArgumentMacro.self
    case "PluginMacro": PluginMacro.self
    default: throw Unknown()
    }
  }
}

try CompilerPluginMessageListener(
  connection: StandardIOMessageConnection(), provider: Macros()
).main()
