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
  let said = "", peaks = opcode.results.map(() => 0), ended = false, heard = 0, keyed;
  const player = new Player(modules, library.tables, rate, (words) => (said += words));
  const channels = [new Float32Array(128), new Float32Array(128)];
  /** Plays on, and returns the amplitude at each of these frequencies. */
  const play = (seconds, hertz = []) => {
    const sums = hertz.map(() => [0, 0]);
    for (let frame = 0; frame < seconds * rate && player.voices.length > 0; frame += 128) {
      player.process(channels, { left: 0, right: 1, bypassed: false, volume: 1 });
      heard = channels[0].reduce((most, sample) => Math.max(most, Math.abs(sample)), heard);
      player.outputs.forEach((output, index) => output.forEach((sample) => {
        if (!(Math.abs(sample) <= peaks[index])) peaks[index] = Math.abs(sample);
      }));
      sums.forEach((sum, index) => channels[0].forEach((sample, place) => {
        const phase = 2 * Math.PI * hertz[index] * (frame + place) / rate;
        [sum[0], sum[1]] = [sum[0] + sample * Math.cos(phase), sum[1] + sample * Math.sin(phase)];
      }));
    }
    return sums.map(([one, other]) => Math.hypot(one, other) * 2 / (seconds * rate));
  };
  const inputs = opcode.arguments.map((argument) => argument.value ?? argument.signal);
  try {
    player.choose(opcode, inputs);
    ended = !player.press("play");
    play(Number(seconds));
    ended ||= player.voices.length === 0;
    if (opcode.pitch !== undefined) {
      // A fifth from A, then one key more than there are notes, then none.
      player.choose(opcode, inputs);
      for (const key of [57, 64]) player.press(key);
      keyed = play(0.5, [220, 440 * 2 ** (-5 / 12)]);
      for (let key = 60; key < 69; key++) player.press(key);
      keyed.push(player.voices.length);
      player.release("keys");
      play(0.5);
      keyed.push(channels[0].reduce((most, sample) => Math.max(most, Math.abs(sample)), 0));
    }
  } catch (error) {
    said += error;
    ended = true;
  }
  const units = opcode.arguments.map(({ unit }) => unit ?? "");
  console.log(JSON.stringify({ syntax: opcode.syntax, overload: opcode.overload, peaks, heard, said, ended, keyed, units }));
}
console.log(JSON.stringify({ unplayed: library.unplayed }));
