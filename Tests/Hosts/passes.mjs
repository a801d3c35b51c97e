// Loads a plugin for the web and calls its opcodes through passes.c: node passes.mjs HOST.wasm PLUGIN.wasm CALL... The
// outputs are written as 64-bit numbers.
import fs from "node:fs";
import { compiled, load, text } from "../../Sources/Build/PluginBuilding/Packages/Listening/loader.mjs";

const [hostFile, pluginFile, ...calls] = process.argv.slice(2);
const output = [];
const engine = load(
  compiled(fs.readFileSync(hostFile), fs.readFileSync(pluginFile)), (bytes) => process.stderr.write(bytes), {
    print: (start, count) => output.push(new Uint8Array(engine.memory.buffer, start, 8 * count).slice()),
  });
for (const call of calls) {
  if (engine.play_call(text(engine, call)) !== 0) {
    console.error(`fails: ${call}`);
    process.exit(1);
  }
}
fs.writeSync(1, Buffer.concat(output));
