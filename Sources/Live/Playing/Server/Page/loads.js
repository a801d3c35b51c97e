// The load of the last minute; the load of each instrument: now, and over the last half minute.

import { drawSharp, element } from './widget.js';

const shownLooks = 60;

export class Loads {
  #place;
  #rows = new Map();

  constructor(place) { this.#place = place; }

  show(instruments) {
    this.#place.hidden = instruments.length === 0;
    const loads = new Map(instruments.map(({ name, load }) => [name, load]));
    for (const name of loads.keys()) if (!this.#rows.has(name)) this.#rows.set(name, this.#row(name));
    for (const [name, row] of this.#rows) {
      const load = loads.get(name) ?? 0;
      row.past.push(load);
      if (row.past.length > shownLooks) row.past.shift();
      row.meter.value = load;
      row.text.textContent = `${(100 * load).toFixed(1)} %`;
      this.#draw(row);
    }
    // The instrument with the highest load of the last half minute is first.
    const most = ({ past }) => Math.max(...past);
    const sorted = [...this.#rows.values()].sort((a, b) => most(b) - most(a));
    sorted.forEach(({ line }, index) => {
      if (this.#place.children[index] !== line) this.#place.insertBefore(line, this.#place.children[index] ?? null);
    });
  }

  #row(name) {
    const text = element('span', { class: 'value' });
    const meter = element('meter', { min: 0, max: 1, high: 0.8, 'aria-label': `Time of instrument ${name}` });
    const past = element('canvas', { width: 2 * shownLooks, height: 24, 'aria-hidden': 'true' });
    const line = element('div', {}, element('span', { class: 'name' }, name), meter, text, past);
    this.#place.append(line);
    return { line, meter, text, canvas: past, past: [] };
  }

  #draw({ canvas, past }) {
    const pen = canvas.getContext('2d');
    const top = Math.max(0.01, ...past);
    pen.clearRect(0, 0, canvas.width, canvas.height);
    pen.fillStyle = getComputedStyle(canvas).color;
    past.forEach((load, index) => {
      const height = canvas.height * load / top;
      pen.fillRect(2 * (shownLooks - past.length + index), canvas.height - height, 2, height);
    });
  }
}

const shownSeconds = 60, barsPerSecond = 2;

// The highest load of each half second, and the dropouts in it, which are as high as the strip and of another colour.
export class Minute {
  #canvas;
  #bars = new Map();
  #dropouts;

  constructor(canvas) { this.#canvas = canvas; }

  show({ load, xruns }) {
    const now = Math.floor(performance.now() / 1000 * barsPerSecond);
    const bar = this.#bars.get(now) ?? { load: 0, dropouts: 0 };
    bar.load = Math.max(bar.load, load ?? 0);
    bar.dropouts += Math.max(0, xruns - (this.#dropouts ?? xruns));
    this.#dropouts = xruns;
    this.#bars.set(now, bar);
    for (const time of this.#bars.keys()) if (time <= now - shownSeconds * barsPerSecond) this.#bars.delete(time);
    const all = [...this.#bars.values()];
    const dropouts = all.reduce((sum, { dropouts }) => sum + dropouts, 0);
    const highest = Math.round(100 * Math.max(...all.map(({ load }) => load)));
    this.#canvas.title = `The last minute: load ${highest} % at most, ${dropouts} dropout${dropouts === 1 ? '' : 's'}`;
    this.#canvas.setAttribute('aria-label', this.#canvas.title);
    if (!document.hidden) drawSharp(this.#canvas, this.#canvas, (...place) => this.#draw(now, ...place));
  }

  #draw(now, pen, width, height) {
    const style = getComputedStyle(this.#canvas);
    const [ink, mark] = ['--ink', '--mark'].map(name => style.getPropertyValue(name));
    const step = width / (shownSeconds * barsPerSecond);
    for (const [time, { load, dropouts }] of this.#bars) {
      const x = width - (now - time + 1) * step;
      pen.fillStyle = dropouts > 0 || load > 1 ? mark : ink;
      const part = dropouts > 0 ? 1 : Math.min(1, load);
      pen.fillRect(x, height * (1 - part), Math.max(1, step - 0.5), height * part);
    }
  }
}
