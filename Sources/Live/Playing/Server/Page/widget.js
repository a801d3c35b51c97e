// What all widgets have in common.

import { element } from './element.js';
export { element };

export function drawing(name, attributes = {}) {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

export class Widget extends HTMLElement {
  setUp(spec, connection) {
    this.spec = spec;
    this.connection = connection;
    this.dataset.id = spec.id;
    this.dataset.kind = spec.kind;
    this.classList.add('widget');
    if (spec.isVertical) this.classList.add('vertical');
    if (spec.isReversed) this.classList.add('reversed');
    if (spec.isReadOnly) this.classList.add('read-only');
    this.build();
    (spec.channels ?? []).forEach((channel, index) =>
      connection.watch(channel, value => this.receive(value, index)));
    return this;
  }

  channel(index = 0) { return this.spec.channels?.[index] ?? ''; }
  get caption() { return this.spec.label ?? ''; }
  // The caption of a switch or a button when it is on or off.
  captionFor(isOn) {
    const captions = (this.spec.options ?? []).map(option => option.label);
    return captions[isOn ? 1 : 0] ?? captions[0] ?? (this.caption || this.channel());
  }
  // The name for screen readers.
  get spokenName() {
    return this.spec.spokenName || this.caption || (this.spec.channels ?? []).filter(Boolean).join(', ') || this.spec.kind;
  }

  #gone = new AbortController();

  // Hears the connection, which lasts longer than the panel.
  hear(type, hearer) {
    this.connection.addEventListener(type, ({ detail }) => hearer(detail), { signal: this.#gone.signal });
  }

  disconnectedCallback() { this.#gone.abort(); }

  build() {}
  receive() {}
  // Shows everything as released: the user has left the page, or the connection was lost.
  release() {}
}

// Where a pointer is on an element: `x` as a fraction of its width from the left, `y` of its height from the top.
export function placeOn(target, { clientX, clientY }) {
  const { left, top, width, height } = target.getBoundingClientRect();
  return { x: (clientX - left) / width, y: (clientY - top) / height };
}

// Makes a canvas as large as an element is in the pixels of the screen, so that the picture is as sharp as they allow, and
// calls `draw` with a context, the width and the height; not if the element has no size.
export function drawSharp(canvas, target, draw) {
  const box = target.getBoundingClientRect();
  const [width, height] = [box.width, box.height].map(size => Math.round(size * devicePixelRatio));
  if (width === 0 || height === 0) return;
  [canvas.width, canvas.height] = [width, height];
  draw(canvas.getContext('2d'), width, height);
}

const sides = ['--x', '--y', '--w', '--h'];

// Where an element lies on its canvas: x, y, width and height in pixels.
export function bounds(target) { return sides.map(name => parseFloat(target.style.getPropertyValue(name))); }

export function setBounds(target, values) {
  target.classList.add('placed');
  sides.forEach((name, index) => target.style.setProperty(name, `${values[index]}px`));
}

export function setSize(canvas, width, height) {
  canvas.style.setProperty('--width', width);
  canvas.style.setProperty('--height', height);
  canvas.classList.add('sized');
}

// The width and height that all that is placed on a canvas needs.
export function reach(canvas) {
  const placed = [...canvas.querySelectorAll('.placed')].map(bounds);
  return [0, 1].map(side => Math.max(0, ...placed.map(values => values[side] + values[side + 2])) + 8);
}

let scrolled = -Infinity;
addEventListener('scroll', () => { scrolled = performance.now(); }, { passive: true, capture: true });
// Whether a turn of the wheel is probably meant for the page, which has scrolled in the last 300 ms.
export function isScrolling() { return performance.now() - scrolled < 300; }
