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
  // The name for screen readers.
  get spokenName() {
    return this.spec.spokenName || this.caption || (this.spec.channels ?? []).filter(Boolean).join(', ') || this.spec.kind;
  }

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

// The width and height of an element in the pixels of the screen, for a picture as sharp as they allow.
export function sharpSize(target) {
  const { width, height } = target.getBoundingClientRect();
  return [width, height].map(size => Math.round(size * devicePixelRatio));
}

let scrolled = -Infinity;
addEventListener('scroll', () => { scrolled = performance.now(); }, { passive: true, capture: true });
// Whether a turn of the wheel is probably meant for the page, which has scrolled in the last 300 ms.
export function isScrolling() { return performance.now() - scrolled < 300; }
