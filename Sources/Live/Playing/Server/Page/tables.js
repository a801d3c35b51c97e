// Graphs of function tables, and surfaces of several sliders side by side.

import { Widget, drawSharp, element, placeOn } from './widget.js';
import { Handle, drag } from './valuators.js';

class TableGraph extends Widget {
  #tables = new Map();
  // The number of the table that a channel has chosen; null: all tables are shown.
  #chosen = null;

  build() {
    this.canvas = element('canvas', { role: 'img', 'aria-label': this.spokenName });
    this.plane = element('div', { class: 'plane' }, this.canvas);
    if (this.caption) this.append(element('span', { class: 'name' }, this.caption));
    this.append(this.plane);
    this.hear('table', detail => this.take(detail));
    this.watcher = new ResizeObserver(() => this.draw());
    this.watcher.observe(this.plane);
    const names = ['position', 'begin', 'end'];
    this.handles = (this.spec.channels ?? []).slice(0, 3).map((channel, index) => {
      if (!channel) return null;
      const line = element('div', { class: `line x ${names[index]}` });
      this.plane.append(line);
      return new Handle(this, index, line, {
        name: `${this.spokenName}, ${names[index]}`,
        onChange: handle => { handle.handle.style.left = `${100 * handle.position}%`; },
      });
    });
    const lines = this.handles.filter(Boolean);
    if (lines.length === 0) return;
    const at = event => placeOn(this.plane, event).x;
    drag(this, this.plane, {
      // The line nearest to the pointer is dragged.
      begin: event => lines.reduce((nearest, handle) =>
        Math.abs(handle.position - at(event)) < Math.abs(nearest.position - at(event)) ? handle : nearest),
      move: (event, start) => start.memory.setPosition(at(event)),
      restore: () => lines.forEach(handle => handle.restore()),
    });
  }

  receive(value, index) {
    if (index < 3) return this.handles[index]?.show(value);
    const tables = this.spec.tables ?? [];
    this.#chosen = value < 0 ? -value : tables[Math.min(Math.floor(value), tables.length - 1)];
    this.canvas.dataset.table = this.#chosen;
    this.draw();
  }

  get #shown() {
    return [...this.#tables].filter(([table]) => this.#chosen === null || table === this.#chosen).map(([, picture]) => picture);
  }

  take(detail) {
    if (!(this.spec.tables ?? []).includes(detail.table)) return;
    this.#tables.set(detail.table, detail);
    this.canvas.dataset.length = detail.length;
    this.draw();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.watcher.disconnect();
  }

  draw() { if (this.#shown.length > 0) drawSharp(this.canvas, this.plane, (...place) => this.#paint(...place)); }

  #paint(paint, width, height) {
    const shown = this.#shown;
    const style = getComputedStyle(this);
    const all = shown.flatMap(({ low, high }) => [...low, ...high]);
    const bottom = Math.min(0, ...all);
    const top = Math.max(0, ...all);
    const y = value => height - 1 - (value - bottom) / (top - bottom || 1) * (height - 2);
    paint.strokeStyle = style.getPropertyValue('--line');
    paint.strokeRect(0, Math.round(y(0)) + 0.5, width, 0);
    paint.strokeStyle = style.getPropertyValue('--ink');
    paint.lineWidth = Math.max(1, devicePixelRatio);
    for (const { low, high } of shown) {
      const x = index => (index + 0.5) / low.length * width;
      paint.beginPath();
      for (let index = 0; index < low.length; index++) {
        paint.lineTo(x(index), y(high[index] ?? 0));
        if (low[index] !== high[index]) paint.lineTo(x(index), y(low[index] ?? 0));
      }
      paint.stroke();
    }
    this.canvas.dataset.low = bottom;
    this.canvas.dataset.high = top;
  }
}

// Several sliders. A finger that slides across them sets one after the other.
class Surface extends Widget {
  build() {
    this.board = element('div', { class: 'bars', role: 'group', 'aria-label': this.spokenName });
    if (this.caption) this.append(element('span', { class: 'name' }, this.caption));
    this.append(this.board);
    this.handles = (this.spec.channels ?? []).map((channel, index) => this.bar(this, index, `${this.spokenName}, ${channel || index + 1}`));
    const table = this.spec.tables?.[0];
    if (table !== undefined && this.handles.length === 0) this.followTable(table);
    drag(this, this.board, {
      begin: () => { this.gesture = new Map(); },
      move: event => {
        for (const place of [...(event.getCoalescedEvents?.() ?? []), event]) {
          this.under(place)?.setPosition(1 - placeOn(this.board, place).y);
        }
      },
      restore: event => this.under(event)?.restore(),
      end: () => {
        if (this.gesture.size > 0) this.canUndo(this.gesture);
        this.gesture = undefined;
      },
    });
  }

  under(event) { return this.handles[Math.floor(placeOn(this.board, event).x * this.handles.length)]; }

  bar(owner, index, name) {
    const fill = element('div', { class: 'fill' });
    const bar = element('div', { class: 'bar', 'aria-orientation': 'vertical' }, fill);
    this.board.append(bar);
    return new Handle(owner, index, bar, {
      name, onChange: handle => { fill.style.transform = `scaleY(${handle.position})`; },
    });
  }

  // Shows a slider for each sample of a table, all with the first range.
  followTable(table) {
    const owner = {
      spec: { ...this.spec, ranges: [] }, spokenName: this.spokenName, channel: index => index,
      querySelector: selector => this.querySelector(selector), append: (...parts) => this.append(...parts),
      connection: { value: () => undefined, first: () => undefined, set: (index, value) => this.sample(index, value) },
    };
    this.hear('table', detail => {
      if (detail.table !== table || detail.low.length !== detail.length || this.gesture) return;
      this.samples = detail.low;
      if (this.handles.length !== detail.length) {
        owner.spec.ranges = detail.low.map(() => this.spec.ranges?.[0]);
        this.board.replaceChildren();
        this.handles = detail.low.map((_, index) => this.bar(owner, index, `${this.spokenName}, ${index + 1}`));
        // The page makes one stop of the Tab key of them.
        this.dispatchEvent(new CustomEvent('shown', { bubbles: true }));
      }
      detail.low.forEach((value, index) => this.handles[index].show(value));
    });
  }

  sample(index, value) {
    const before = this.samples[index];
    if (!this.gesture) this.canUndo([[index, before]], `${this.spec.id} ${index}`);
    else if (!this.gesture.has(index)) this.gesture.set(index, before);
    this.samples[index] = value;
    this.connection.sample(this.spec.id, index, value);
  }

  // Remembers samples by index, with their values before.
  canUndo(samples, kind) {
    const back = samples => () => {
      const before = [...samples].map(([index]) => [index, this.samples[index]]);
      for (const [index, value] of samples) this.connection.sample(this.spec.id, index, value);
      return back(before);
    };
    this.connection.canUndo(back(samples), kind);
  }

  receive(value, index) { this.handles[index]?.show(value); }
}

customElements.define('panel-table', TableGraph);
customElements.define('panel-surface', Surface);
