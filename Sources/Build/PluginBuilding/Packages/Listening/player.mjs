import { load, text } from "./loader.mjs";

// Plays one opcode: makes its inputs, calls its passes, puts its outputs out. In a page this is the audio thread.

const ksmps = 32;

/** Test signals: each makes a function that returns sample after sample, full scale at 1. */
const signals = {
  plucks(rate) {
    const saws = [];
    let frame = 0;
    return () => {
      if (frame++ % Math.round(rate * 0.4) === 0) {
        const step = Math.floor(frame / (rate * 0.4)) % 8;
        saws.push({ phase: 0, step: 110 * 2 ** ([0, 7, 12, 3, 10, 15, 7, 5][step] / 12) / rate, level: 0.5 });
        if (saws.length > 3) saws.shift();
      }
      let sum = 0;
      for (const saw of saws) {
        sum += saw.level * sawtooth(saw);
        saw.level *= 1 - 5 / rate;
      }
      return sum;
    };
  },
  sawtooth(rate) {
    const saw = { phase: 0, step: 110 / rate };
    return () => 0.4 * sawtooth(saw);
  },
  sine(rate) {
    let phase = 0;
    return () => 0.4 * Math.sin(2 * Math.PI * (phase = (phase + 330 / rate) % 1));
  },
  noise() {
    let state = 1;
    return () => 0.5 * ((state = (Math.imul(state, 1664525) + 1013904223) | 0) / 2 ** 31);
  },
  pulses(rate) {
    let frame = 0;
    return () => (frame++ % Math.round(rate / 2) === 0 ? 1 : 0);
  },
  silence() { return () => 0; },
};

// A sawtooth whose step is rounded over two samples (PolyBLEP; Välimäki and Huovilainen 2007).
function sawtooth(saw) {
  const { phase, step } = saw;
  saw.phase = (phase + step) % 1;
  const before = phase / step, after = (phase - 1) / step;
  const rounding = before < 1 ? 2 * before - before * before - 1 : after > -1 ? after * after + 2 * after + 1 : 0;
  return 2 * phase - 1 - rounding;
}

export class Player {
  /**
   * `sound` is the user's own, one channel at the rate of the page; `say` is told texts of the opcode. To the tables
   * Csound's own sine is added.
   */
  constructor(modules, tables, rate, say) {
    const elements = Float64Array.from({ length: 16385 }, (_, place) => Math.sin(place * Math.PI / 8192));
    const sine = { number: -1, elements };
    Object.assign(this, {
      modules, tables: [...tables, sine], rate, say, sound: new Float32Array(0), level: 0, gain: 1, place: ksmps,
    });
  }

  /** Begins a note of the opcode with these inputs, in a new engine; false where its init pass fails. */
  begin(opcode, inputs) {
    this.end();
    const engine = load(this.modules, (bytes) => this.say(String.fromCharCode(...bytes)));
    for (const { number, elements } of this.tables) {
      const place = engine.new_table(number, elements.length - 1);
      new Float64Array(engine.memory.buffer, place, elements.length).set(elements);
    }
    const { overload, outputs, inputs: types, outputRates, rates } = opcode;
    const words = [overload, outputs, types, outputRates, rates].map((word) => text(engine, word));
    const note = engine.new_note(...words, this.rate, ksmps);
    if (note === 0) throw new Error(`${opcode.overload} cannot be played here`);
    Object.assign(this, { engine, note, opcode, inputs: [], outputs: [], place: ksmps, gain: 1 });
    inputs.forEach((input, index) => this.set(index, input));
    if (engine.begin_note(note) !== 0) {
      this.note = 0;
      return false;
    }
    return true;
  }

  end() {
    if (this.note) this.engine.end_note(this.note);
    this.note = 0;
  }

  /** Sets an input: a number, or the name of a signal. */
  set(index, input) {
    if (typeof input === "number") this.inputs[index] = { value: input };
    else if (this.inputs[index]?.name !== input) this.inputs[index] = { name: input, next: this.signal(input) };
    if (this.opcode.rates[index] !== "a") this.values(this.opcode.outputRates.length + index)[0] = input;
  }

  signal(name) {
    let place = 0;
    return name === "file" ? () => this.sound[place++ % this.sound.length] ?? 0 : signals[name](this.rate);
  }

  values(index) {
    return new Float64Array(this.engine.memory.buffer, this.engine.note_values(this.note, index), ksmps);
  }

  /**
   * Fills two channels with the outputs `left` and `right`, or with the first signal where the opcode is bypassed. What
   * is above full scale is turned down, by `gain`, which slowly returns to 1.
   */
  process(channels, { left, right, bypassed, volume }) {
    const [one, other] = channels;
    for (let frame = 0; frame < one.length; frame++) {
      if (this.place === ksmps) this.cycle();
      const first = this.sample(bypassed, left), second = this.sample(bypassed, right);
      const most = Math.max(Math.abs(first), Math.abs(second));
      this.gain = most * this.gain > 1 ? 1 / most : this.gain + (1 - this.gain) * 1e-5;
      // The volume takes some milliseconds to change.
      this.level += (volume - this.level) * 0.004;
      one[frame] = this.level * this.gain * first;
      if (other) other[frame] = this.level * this.gain * second;
      this.place++;
    }
  }

  /** The present sample of an output; 0 where there is none. */
  sample(bypassed, output) {
    const signal = bypassed ? this.dry : this.outputs[output];
    const sample = signal === undefined ? 0 : signal[this.place];
    return Number.isFinite(sample) ? sample : 0;
  }

  cycle() {
    this.place = 0;
    if (!this.note) {
      this.outputs = [];
      return;
    }
    const { length } = this.opcode.outputRates;
    this.dry = undefined;
    this.inputs.forEach((input, index) => {
      if (this.opcode.rates[index] !== "a") return;
      const values = this.values(length + index);
      if (input.next) for (let frame = 0; frame < ksmps; frame++) values[frame] = input.next();
      else values.fill(input.value);
      // An opcode may write its output over its input.
      if (input.next) this.dry ??= values.slice();
    });
    if (this.engine.perform_note(this.note) !== 0) {
      this.note = 0;
      this.outputs = [];
      return;
    }
    this.outputs = [...this.opcode.outputRates].map((_, index) => this.values(index).slice());
  }
}
