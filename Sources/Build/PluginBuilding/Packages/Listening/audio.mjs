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

  take({ opcode, inputs, set, ways, sound, end }) {
    if (sound) this.player.sound = sound;
    if (ways) this.ways = ways;
    if (opcode) this.player.begin(opcode, inputs);
    if (set && this.player.note) this.player.set(...set);
    if (end) this.player.end();
  }

  // What ends an opcode does not end the page: the next change begins it anew.
  guarded(work) {
    try {
      work();
    } catch (error) {
      this.player.note = 0;
      this.port.postMessage({ said: `${error}\n` });
    }
  }

  process(_, [channels]) {
    this.guarded(() => this.player.process(channels, this.ways));
    if (this.player.opcode && currentFrame % 4096 < 128) {
      const values = this.player.outputs.map((output) => output[0]);
      this.port.postMessage({ values, gain: this.player.gain });
    }
    return true;
  }
});
