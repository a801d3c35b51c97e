import { compiled } from "./loader.mjs";
import { Player } from "./player.mjs";

// The audio thread of the page.
registerProcessor("opcode", class extends AudioWorkletProcessor {
  constructor({ processorOptions: { engine, plugin, tables } }) {
    super();
    const say = (said) => this.port.postMessage({ said });
    this.player = new Player(compiled(engine, plugin), tables, sampleRate, say);
    this.ways = { left: 0, right: 1, bypassed: false, volume: 0 };
    this.port.onmessage = ({ data }) => this.guarded(() => this.take(data));
  }

  take({ opcode, inputs, set, ways, sound, press, release }) {
    const { player } = this;
    if (sound) player.sound = sound;
    if (ways) this.ways = ways;
    if (opcode) player.choose(opcode, inputs);
    if (set) player.set(...set);
    if (release) player.release(release);
    if (press) player.press(...press);
  }

  // What ends an opcode does not end the page: the next change begins it anew.
  guarded(work) {
    try {
      work();
    } catch (error) {
      this.player.voices = [];
      this.port.postMessage({ said: `${error}\n` });
    }
  }

  process([[microphone]], [channels]) {
    this.player.microphone = microphone;
    this.guarded(() => this.player.process(channels, this.ways));
    if (this.player.opcode && currentFrame % 4096 < 128) {
      const values = this.player.outputs.map((output) => output[0]);
      this.port.postMessage({ values, gain: this.player.gain });
    }
    return true;
  }
});
