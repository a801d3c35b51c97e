// Loads a plugin for the web as Csound 7's loader in browsers does, and calls its opcodes through passes.c:
// node passes.mjs HOST.wasm PLUGIN.wasm CALL... The outputs are written as 64-bit numbers.
import fs from "node:fs";

const [hostFile, pluginFile, ...calls] = process.argv.slice(2);
const output = [];
const bytesAt = (start, count) => new Uint8Array(host.exports.memory.buffer, start, count);
const view = () => new DataView(host.exports.memory.buffer);

// The C library of the host only prints errors.
const system = {
  fd_write(file, list, count, written) {
    let bytes = 0;
    for (let index = 0; index < count; index++) {
      const start = view().getUint32(list + 8 * index, true), length = view().getUint32(list + 8 * index + 4, true);
      process.stderr.write(bytesAt(start, length).slice());
      bytes += length;
    }
    view().setUint32(written, bytes, true);
    return 0;
  },
  proc_exit(code) { process.exit(code); },
};
const others = new Proxy(system, { get: (known, name) => known[name] ?? (() => 52) });
const print = (start, count) => output.push(bytesAt(start, 8 * count).slice());
const host = new WebAssembly.Instance(new WebAssembly.Module(fs.readFileSync(hostFile)), {
  wasi_snapshot_preview1: others, host: { print },
  env: new Proxy({}, { get: (_, name) => () => { throw new Error(`the host lacks ${name}`); } }),
});

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
  const length = number(), name = file.subarray(place, place += length).toString();
  if (name !== "dylink.0" || number() !== 1) throw new Error("no dylink.0");
  number();
  const [memory, memoryAlignment, table] = [number(), number(), number()];
  return { memory, alignment: 2 ** memoryAlignment, table };
}

const file = fs.readFileSync(pluginFile);
const module = new WebAssembly.Module(file), needs = sizes(file);
const { memory, __indirect_function_table: table, __stack_pointer, new_bytes } = host.exports;
const address = (value) => new WebAssembly.Global({ value: "i32", mutable: false }, value);
const start = Math.ceil(new_bytes(needs.memory + needs.alignment) / needs.alignment) * needs.alignment;
const env = {
  memory, __indirect_function_table: table, __stack_pointer,
  __memory_base: address(start), __table_base: address(table.length),
};
table.grow(needs.table);
// Csound exports no function of C's library, so a plugin may need nothing else.
for (const { module: from, name } of WebAssembly.Module.imports(module)) {
  if (from !== "env" || !(name in env)) throw new Error(`the plugin needs ${from}.${name}`);
}
const plugin = new WebAssembly.Instance(module, { env });
plugin.exports.__wasm_apply_data_relocs?.();
plugin.exports.__wasm_call_ctors();
if (plugin.exports.csoundModuleInfo() !== 0x70008) throw new Error("not for Csound 7.0");
const engine = host.exports.new_engine();
if (plugin.exports.csoundModuleCreate(engine) !== 0) throw new Error("csoundModuleCreate fails");
if (plugin.exports.csoundModuleInit(engine) !== 0) throw new Error("csoundModuleInit fails");

for (const call of calls) {
  const text = Buffer.from(call + "\0");
  const place = new_bytes(text.length);
  bytesAt(place, text.length).set(text);
  if (host.exports.play_call(place) !== 0) {
    console.error(`fails: ${call}`);
    process.exit(1);
  }
}
fs.writeSync(1, Buffer.concat(output));
