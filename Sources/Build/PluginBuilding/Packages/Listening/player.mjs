import { load, text } from "./loader.mjs";

// Plays one opcode: makes its inputs, calls its passes, puts its outputs out. In a page this is the audio thread.

const ksmps = 32, mostVoices = 8;

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
  drums(rate) {
    const noise = signals.noise(), length = Math.round(rate / 4);
    let frame = 0;
    return () => {
      const kind = "bhshbbsh"[Math.floor(frame / length) % 8], time = (frame++ % length) / rate;
      const sine = (cycles) => Math.sin(2 * Math.PI * cycles);
      if (kind === "h") return Math.exp(-60 * time) * noise();
      if (kind === "s") return Math.exp(-18 * time) * (noise() + 0.3 * sine(180 * time));
      // The bass drum falls from 200 to 50 Hz.
      return 0.8 * Math.exp(-12 * time) * sine(50 * time + 5 * (1 - Math.exp(-30 * time)));
    };
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
      modules, tables: [...tables, sine], rate, say, sound: new Float32Array(0), level: 0, gain: 1, place: ksmps, voices: [],
    });
  }

  /** Takes an opcode with these inputs, in a new engine. */
  choose(opcode, inputs) {
    for (const { note } of this.voices) this.engine.end_note(note);
    const engine = load(this.modules, (bytes) => this.say(String.fromCharCode(...bytes)));
    for (const { number, elements } of this.tables) {
      const place = engine.new_table(number, elements.length - 1);
      new Float64Array(engine.memory.buffer, place, elements.length).set(elements);
    }
    const { overload, outputs, inputs: types, outputRates, rates } = opcode;
    const words = [overload, outputs, types, outputRates, rates].map((word) => text(engine, word));
    Object.assign(this, { engine, opcode, words, inputs: [], outputs: [], voices: [], place: ksmps, gain: 1 });
    inputs.forEach((input, index) => this.set(index, input));
  }

  /**
   * Begins a note: for a key, a MIDI number, with the key's frequency; for "play" with the inputs as they are. False
   * where its init pass fails. The oldest of eight notes makes room for a ninth.
   */
  press(key, velocity = 1) {
    const isNew = this.voices.length < mostVoices;
    let voice = this.voices.findIndex(({ level, isHeld }) => level === 0 && !isHeld);
    voice = voice < 0 && isNew ? { note: this.engine.new_note(...this.words, this.rate, ksmps) }
      : this.voices.splice(Math.max(voice, 0), 1)[0];
    if (voice.note === 0) throw new Error(`${this.opcode.overload} cannot be played here`);
    if (voice.hasBegun) this.engine.end_note(voice.note);
    Object.assign(voice, { key, velocity, hasBegun: false, isHeld: true, level: 0 });
    this.inputs.forEach((_, index) => this.give(voice, index));
    if (this.engine.begin_note(voice.note) !== 0) return false;
    voice.hasBegun = true;
    this.voices.push(voice);
    return true;
  }

  /** Fades the notes of a key out, or of all: "keys". */
  release(key) {
    for (const voice of this.voices) if (voice.key === key || (key === "keys" && voice.key !== "play")) voice.isHeld = false;
  }

  /** Sets an input: a number, or the name of a signal. */
  set(index, input) {
    if (typeof input === "number") this.inputs[index] = { value: input };
    else if (this.inputs[index]?.name !== input) this.inputs[index] = { name: input, next: this.signal(input) };
    for (const voice of this.voices) this.give(voice, index);
  }

  /** Gives a note one of its inputs: for one k-cycle where that is a signal. */
  give(voice, index, samples) {
    const isPitch = index === this.opcode.pitch && voice.key !== "play";
    const value = isPitch ? 440 * 2 ** ((voice.key - 69) / 12) : this.inputs[index].value;
    const values = this.values(voice, this.opcode.outputRates.length + index);
    if (this.opcode.rates[index] !== "a") values[0] = value;
    else if (samples) values.set(samples);
    else values.fill(value ?? 0);
  }

  signal(name) {
    let place = 0;
    if (name === "microphone") return (_, index) => this.microphone?.[this.frame + index] ?? 0;
    return name === "file" ? () => this.sound[place++ % this.sound.length] ?? 0 : signals[name](this.rate);
  }

  values({ note }, index) {
    return new Float64Array(this.engine.memory.buffer, this.engine.note_values(note, index), ksmps);
  }

  /**
   * Fills two channels with the outputs `left` and `right`, or with the first signal where the opcode is bypassed. What
   * is above full scale is turned down, by `gain`, which slowly returns to 1.
   */
  process(channels, { left, right, bypassed, volume }) {
    const [one, other] = channels;
    for (let frame = 0; frame < one.length; frame++) {
      if (this.place === ksmps) this.cycle(frame);
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

  /** Plays all notes for one k-cycle, which begins with this frame of the block. */
  cycle(frame) {
    Object.assign(this, { place: 0, frame, dry: undefined, outputs: [] });
    const sounding = this.voices.filter(({ level, isHeld }) => level > 0 || isHeld);
    if (sounding.length === 0) return;
    const made = this.inputs.map(({ next }) => next && new Float64Array(ksmps).map(next));
    this.dry = made.find(Boolean);
    for (const voice of sounding) {
      // An opcode may have written its output over its input.
      this.inputs.forEach((_, index) => this.opcode.rates[index] === "a" && this.give(voice, index, made[index]));
      if (this.engine.perform_note(voice.note) !== 0) {
        this.voices = this.voices.filter((one) => one !== voice);
        continue;
      }
      // A note is faded in and out, with time constants of 2 and 16 ms.
      const before = voice.level;
      voice.level += voice.isHeld ? (voice.velocity - before) * 0.3 : -before * 0.04;
      if (voice.level < 1e-4) voice.level = 0;
      [...this.opcode.outputRates].forEach((rate, output) => {
        const values = this.values(voice, output);
        if (rate !== "a") return (this.outputs[output] = values.slice());
        const sum = (this.outputs[output] ??= new Float64Array(ksmps));
        const step = (voice.level - before) / ksmps;
        for (let index = 0; index < ksmps; index++) sum[index] += values[index] * (before + step * (index + 1));
      });
    }
  }
}
