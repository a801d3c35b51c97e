/// Makes a struct an opcode: for the struct `NAME` it generates the function `registerNAME(in:)`, which a library's
/// `registerOpcodes(in:)` calls.
///
/// The type letters follow from the fields of `Arguments`; `@Default` and `@Letter` supply what the field types leave
/// open. Each generic parameter must be a `Signal` and stands for k-rate and a-rate: there is one overload for every
/// combination, `NAME.kk`, `NAME.ak` and so on, k-rate before a-rate.
///
/// The compiler proves for each overload that the performance pass neither locks nor allocates. A `perform` method
/// declared inside the struct is inlined into that pass: it becomes `@inline(__always)` unless it has an `@inline`
/// attribute.
///
/// A struct whose state begins with the values that stand in it needs no `init`.
///
/// - Parameters:
///   - name: the opcode's name; with a suffix where several structs share it, as in `"CLIP.array"`.
///   - summary: what the opcode does, in one line.
@attached(
  peer, names: prefixed(register), suffixed(_pass), suffixed(_k), suffixed(_a), suffixed(_kk),
  suffixed(_ka), suffixed(_ak), suffixed(_aa), suffixed(_kkk), suffixed(_kka), suffixed(_kak),
  suffixed(_kaa), suffixed(_akk), suffixed(_aka), suffixed(_aak), suffixed(_aaa), suffixed(_kkkk),
  suffixed(_kkka), suffixed(_kkak), suffixed(_kkaa), suffixed(_kakk), suffixed(_kaka),
  suffixed(_kaak), suffixed(_kaaa), suffixed(_akkk), suffixed(_akka), suffixed(_akak),
  suffixed(_akaa), suffixed(_aakk), suffixed(_aaka), suffixed(_aaak), suffixed(_aaaa))
@attached(
  member, names: named(init(_:_:)), named(variadicRowCount), named(hasStructs),
  named(writesAudioMembers),
  named(HeldArguments),
  named(held(of:)), named(arguments(_:reading:)),
  named(checkStructs))
@attached(memberAttribute)
public macro Opcode(_ name: StaticString, _ summary: StaticString) =
  #externalMacro(module: "OpcodeMacros", type: "OpcodeMacro")

/// Makes a generic struct one of several opcodes: the first generic parameter is this kind, the others are signals.
///
/// The struct has one such attribute for each opcode. For the struct `NAME` each generates the function
/// `registerNAME(KIND.self, in:)`. What differs between the opcodes is in the kinds, usually through a protocol. There can
/// be 10 kinds, and 2 signals beside them.
///
/// - Parameters:
///   - name: the opcode's name; with a suffix where several structs share it, as in `"CLIP.array"`.
///   - summary: what the opcode does, in one line.
///   - kind: the type that the struct's first generic parameter stands for.
@attached(
  peer, names: prefixed(register), suffixed(_1_pass), suffixed(_1_k), suffixed(_1_a),
  suffixed(_1_kk), suffixed(_1_ka), suffixed(_1_ak), suffixed(_1_aa), suffixed(_2_pass),
  suffixed(_2_k), suffixed(_2_a), suffixed(_2_kk), suffixed(_2_ka), suffixed(_2_ak),
  suffixed(_2_aa), suffixed(_3_pass), suffixed(_3_k), suffixed(_3_a), suffixed(_3_kk),
  suffixed(_3_ka), suffixed(_3_ak), suffixed(_3_aa), suffixed(_4_pass), suffixed(_4_k),
  suffixed(_4_a), suffixed(_4_kk), suffixed(_4_ka), suffixed(_4_ak), suffixed(_4_aa),
  suffixed(_5_pass), suffixed(_5_k), suffixed(_5_a), suffixed(_5_kk), suffixed(_5_ka),
  suffixed(_5_ak), suffixed(_5_aa), suffixed(_6_pass), suffixed(_6_k), suffixed(_6_a),
  suffixed(_6_kk), suffixed(_6_ka), suffixed(_6_ak), suffixed(_6_aa), suffixed(_7_pass),
  suffixed(_7_k), suffixed(_7_a), suffixed(_7_kk), suffixed(_7_ka), suffixed(_7_ak),
  suffixed(_7_aa), suffixed(_8_pass), suffixed(_8_k), suffixed(_8_a), suffixed(_8_kk),
  suffixed(_8_ka), suffixed(_8_ak), suffixed(_8_aa), suffixed(_9_pass), suffixed(_9_k),
  suffixed(_9_a), suffixed(_9_kk), suffixed(_9_ka), suffixed(_9_ak), suffixed(_9_aa),
  suffixed(_10_pass), suffixed(_10_k), suffixed(_10_a), suffixed(_10_kk), suffixed(_10_ka),
  suffixed(_10_ak), suffixed(_10_aa))
@attached(
  member, names: named(init(_:_:)), named(variadicRowCount), named(hasStructs),
  named(writesAudioMembers),
  named(HeldArguments),
  named(held(of:)), named(arguments(_:reading:)),
  named(checkStructs))
@attached(memberAttribute)
public macro Opcode<Kind>(_ name: StaticString, _ summary: StaticString, _ kind: Kind.Type) =
  #externalMacro(module: "OpcodeMacros", type: "OpcodeMacro")

/// Makes an argument optional and sets its default. Csound allows 0, 1, 10, 0.5, -1 or 127 for an `InitInput`, and 0,
/// 1, 0.5 or -1 for a `ControlInput`.
@attached(peer)
public macro Default(_ value: Double) =
  #externalMacro(module: "OpcodeMacros", type: "ArgumentMacro")

/// Sets the type letter of an argument whose type allows several, for example `"n"` (an odd number of i-time inputs)
/// for a `Variadic<InitInput>`.
@attached(peer)
public macro Letter(_ letter: StaticString) =
  #externalMacro(module: "OpcodeMacros", type: "ArgumentMacro")

/// Makes a Swift struct a struct of Csound 7, for `StructInput` and `StructOutput`. Its name is the struct's name in
/// orchestras, and its fields are the members, written as inputs: `AudioInput`, `ControlInput`, `InitInput`,
/// `StringInput`, `SpectrumInput`, `StructInput<…>`, or `ArrayInput<…>` of these.
///
/// For the struct `NAME` it generates the function `registerNAME(in:)`. A library's `registerOpcodes(in:)` calls it, for
/// structs that are members first, and orchestras can then use the struct. Csound refuses an orchestra that declares a
/// registered struct itself. If a struct is not registered, orchestras declare it themselves.
@attached(
  member, names: named(Output), named(declaration), named(refusal), named(hasAudio), named(init),
  named(fits))
@attached(extension, conformances: CsoundStructure)
@attached(peer, names: prefixed(register))
public macro CsoundStruct() = #externalMacro(module: "OpcodeMacros", type: "StructMacro")

/// Makes a library a plugin: generates the functions that Csound looks for when it loads one, and one that lists the
/// opcodes for `watch --play`. A module has one `@Plugin`.
@attached(
  peer, names: named(csound_opcode_init), named(csound_fgen_init), named(csoundModuleInfo),
  named(opcodekit_overloads))
public macro Plugin() = #externalMacro(module: "OpcodeMacros", type: "PluginMacro")
