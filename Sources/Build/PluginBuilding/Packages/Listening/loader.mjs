// Loads a plugin for the web into engine.wasm as Csound 7's loader in browsers does. Runs in pages and in Node, and in
// the audio thread of a page, which has neither TextDecoder nor fetch.

// The sizes that the linker wrote into the plugin's first section, dylink.0.
function sizes(file) {
  let place = 8;
  const number = () => {
    for (let sum = 0, shift = 0; ; shift += 7) {
      sum |= (file[place] & 127) << shift;
      if (file[place++] < 128) return sum;
    }
  };
  if (file[place++] !== 0) throw new Error("no dylink.0");
  number();
  const length = number(), name = String.fromCharCode(...file.subarray(place, place += length));
  if (name !== "dylink.0" || number() !== 1) throw new Error("no dylink.0");
  number();
  const [memory, memoryAlignment, table] = [number(), number(), number()];
  return { memory, alignment: 2 ** memoryAlignment, table };
}

/** Both as modules of WebAssembly, compiled once; `load` makes an instance of them. */
export function compiled(engine, plugin) {
  return { engine: new WebAssembly.Module(engine), plugin: new WebAssembly.Module(plugin), needs: sizes(plugin) };
}

/**
 * A new engine in which the plugin has registered its opcodes: the functions of engine.c. `say` is told what they
 * print, as bytes; `host` has functions for an engine with more imports.
 */
export function load({ engine, plugin, needs }, say, host = {}) {
  let memory;
  const view = () => new DataView(memory.buffer);
  const known = {
    fd_write(file, list, count, written) {
      let bytes = 0;
      for (let index = 0; index < count; index++) {
        const start = view().getUint32(list + 8 * index, true), length = view().getUint32(list + 8 * index + 4, true);
        say(new Uint8Array(memory.buffer, start, length).slice());
        bytes += length;
      }
      view().setUint32(written, bytes, true);
      return 0;
    },
    proc_exit() { throw new Error("the engine ended"); },
  };
  // The C library of the engine only prints.
  const system = new Proxy(known, { get: (all, name) => all[name] ?? (() => 52) });
  const lacking = new Proxy({}, { get: (_, name) => () => { throw new Error(`the engine lacks ${String(name)}`); } });
  const made = new WebAssembly.Instance(engine, { wasi_snapshot_preview1: system, host, env: lacking }).exports;
  memory = made.memory;
  const { __indirect_function_table: table, __stack_pointer, new_bytes } = made;
  const address = (value) => new WebAssembly.Global({ value: "i32", mutable: false }, value);
  const start = Math.ceil(new_bytes(needs.memory + needs.alignment) / needs.alignment) * needs.alignment;
  const env = {
    memory, __indirect_function_table: table, __stack_pointer,
    __memory_base: address(start), __table_base: address(table.length),
  };
  table.grow(needs.table);
  // Csound exports no function of C's library, so a plugin may need nothing else.
  for (const { module: from, name } of WebAssembly.Module.imports(plugin)) {
    if (from !== "env" || !(name in env)) throw new Error(`the plugin needs ${from}.${name}`);
  }
  const library = new WebAssembly.Instance(plugin, { env }).exports;
  library.__wasm_apply_data_relocs?.();
  library.__wasm_call_ctors();
  if (library.csoundModuleInfo() !== 0x70008) throw new Error("the plugin is not for Csound 7.0");
  const csound = made.new_engine();
  if (library.csoundModuleCreate(csound) !== 0) throw new Error("csoundModuleCreate fails");
  if (library.csoundModuleInit(csound) !== 0) throw new Error("csoundModuleInit fails");
  return made;
}

/** The address of a text in the engine's memory. */
export function text(engine, words) {
  const place = engine.new_bytes(words.length + 1);
  const bytes = new Uint8Array(engine.memory.buffer, place, words.length);
  for (let index = 0; index < words.length; index++) bytes[index] = words.charCodeAt(index);
  return place;
}
