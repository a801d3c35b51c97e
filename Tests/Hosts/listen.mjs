// Plays all opcodes of a page that a package has, as the page does with the inputs it begins with: node listen.mjs
// PAGE.html [SECONDS]. Prints a JSON object for each: its form, the outputs' peaks, what it said.
import fs from "node:fs";
import zlib from "node:zlib";
import { compiled } from "../../Sources/Build/PluginBuilding/Packages/Listening/loader.mjs";
import { Player } from "../../Sources/Build/PluginBuilding/Packages/Listening/player.mjs";

const [file, seconds = "1"] = process.argv.slice(2);
const page = fs.readFileSync(file, "utf8");
const part = (id) => {
  const found = page.match(new RegExp(`id="${id}">([^<]*)</script>`));
  return new Uint8Array(zlib.gunzipSync(Buffer.from(found[1], "base64")));
};
const library = JSON.parse(Buffer.from(part("library")).toString());
const modules = compiled(part("engine"), part("plugin"));
const rate = 48000;
for (const opcode of library.opcodes) {
  let said = "", peaks = opcode.results.map(() => 0), ended = false, heard = 0;
  const player = new Player(modules, library.tables, rate, (words) => (said += words));
  try {
    ended = !player.begin(opcode, opcode.arguments.map((argument) => argument.value ?? argument.signal));
    const channels = [new Float32Array(128), new Float32Array(128)];
    for (let frame = 0; frame < Number(seconds) * rate && !ended; frame += 128) {
      player.process(channels, { left: 0, right: 1, bypassed: false, volume: 1 });
      heard = channels[0].reduce((most, sample) => Math.max(most, Math.abs(sample)), heard);
      ended = player.note === 0;
      player.outputs.forEach((output, index) => output.forEach((sample) => {
        if (!(Math.abs(sample) <= peaks[index])) peaks[index] = Math.abs(sample);
      }));
    }
  } catch (error) {
    said += error;
    ended = true;
  }
  console.log(JSON.stringify({ syntax: opcode.syntax, overload: opcode.overload, peaks, heard, said, ended }));
}
console.log(JSON.stringify({ unplayed: library.unplayed }));
