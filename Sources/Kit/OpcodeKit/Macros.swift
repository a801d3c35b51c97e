/// Makes an opcode of a struct: writes `registerNAME(in:)` for the struct `NAME`, which a library's
/// `registerOpcodes(in:)` calls.
///
/// The type letters are those of the fields of `Arguments`; `@Default` and `@Letter` say what the types
/// leave open. Each generic parameter is a `Signal` and stands for k-rate and a-rate: there is an
/// overload for every combination, `NAME.kk`, `NAME.ak` and so on, k-rate before a-rate. That a
/// performance pass neither locks nor allocates is proved for each of them. `perform`, where it stands in
/// the struct, becomes part of that function: it is `@inline(__always)` unless it says otherwise.
///
/// - Parameters:
///   - name: the opcode's name; where several structs share it, with a suffix, as in `"CLIP.array"`.
///   - summary: what it does, in a line.
@attached(
  peer, names: prefixed(register), suffixed(_pass), suffixed(_k), suffixed(_a), suffixed(_kk),
  suffixed(_ka), suffixed(_ak), suffixed(_aa), suffixed(_kkk), suffixed(_kka), suffixed(_kak),
  suffixed(_kaa), suffixed(_akk), suffixed(_aka), suffixed(_aak), suffixed(_aaa), suffixed(_kkkk),
  suffixed(_kkka), suffixed(_kkak), suffixed(_kkaa), suffixed(_kakk), suffixed(_kaka),
  suffixed(_kaak), suffixed(_kaaa), suffixed(_akkk), suffixed(_akka), suffixed(_akak),
  suffixed(_akaa), suffixed(_aakk), suffixed(_aaka), suffixed(_aaak), suffixed(_aaaa))
@attached(member, names: named(variadicRowCount))
@attached(memberAttribute)
public macro Opcode(_ name: StaticString, _ summary: StaticString) =
  #externalMacro(module: "OpcodeMacros", type: "OpcodeMacro")

/// An argument that may be left out, and what Csound takes for it then: for an `InitInput` 0, 1, 10, 0.5,
/// -1 or 127, for a `ControlInput` 0, 1, 0.5 or -1.
@attached(peer)
public macro Default(_ value: Double) =
  #externalMacro(module: "OpcodeMacros", type: "ArgumentMacro")

/// The type letter of an argument whose type can stand for several, such as `"n"` (an odd number of
/// i-time inputs) for a `Variadic<InitInput>`.
@attached(peer)
public macro Letter(_ letter: StaticString) =
  #externalMacro(module: "OpcodeMacros", type: "ArgumentMacro")

/// Makes a plugin of a library: writes the functions Csound looks for when it loads one, and one that tells
/// `watch --play` of its opcodes. A module has one `@Plugin`.
@attached(
  peer, names: named(csound_opcode_init), named(csound_fgen_init), named(csoundModuleInfo),
  named(opcodekit_overloads))
public macro Plugin() = #externalMacro(module: "OpcodeMacros", type: "PluginMacro")
