// Lets the user move and resize widgets by pointer and keys, and has the server save their places.

import { bounds, reach, setBounds, setSize } from './widget.js';

const grid = 4;
const edge = 16;

function snapped(value) { return grid * Math.round(value / grid); }

// The bounds, within their canvas, of the elements that were laid out automatically. Each page of tabs is shown while
// it is measured.
function measure(canvas) {
  const found = [];
  const look = (content, left, top) => {
    for (const target of content.querySelectorAll('.widget, .group.box > .frame')) {
      const page = target.closest('.group.page');
      if (page ? page.hidden || content !== page : target.closest('.group.tabbed')) continue;
      const frame = target.classList.contains('frame') ? target.parentElement : target;
      const { x, y, width, height } = frame.getBoundingClientRect();
      if (width > 0 && height > 0) found.push([target, [x - left, y - top, width, height]]);
    }
  };
  const { left, top } = canvas.getBoundingClientRect();
  look(canvas, left, top);
  for (const tabbed of canvas.querySelectorAll('.group.tabbed')) {
    const pages = [...tabbed.querySelectorAll(':scope > .content > .group.page')];
    const hidden = pages.map(page => page.hidden);
    const list = tabbed.querySelector('.tabs');
    const { x, y, width, height } = list.getBoundingClientRect();
    found.push([list, [x - left, y - top, width, height]]);
    for (const page of pages) {
      for (const other of pages) other.hidden = other !== page;
      look(page, left, top);
    }
    pages.forEach((page, index) => { page.hidden = hidden[index]; });
  }
  return found;
}

export class Arranging {
  #place;
  #moved;
  isOn = false;

  constructor(place, { say }) {
    this.#place = place;
    this.say = say;
    place.addEventListener('pointerdown', event => this.#grasp(event), true);
    place.addEventListener('pointermove', event => this.#move(event), true);
    for (const type of ['pointerup', 'pointercancel']) place.addEventListener(type, () => { this.#moved = null; }, true);
    for (const type of ['click', 'dblclick', 'wheel', 'touchstart']) {
      place.addEventListener(type, event => { if (this.isOn && event.target.closest('.widget')) this.#take(event); },
        { capture: true, passive: false });
    }
    place.addEventListener('keydown', event => this.#key(event), true);
  }

  begin() {
    for (const canvas of this.#place.querySelectorAll('.canvas:not(.has-places)')) {
      const found = measure(canvas);
      const { width } = canvas.getBoundingClientRect();
      for (const [target, values] of found) setBounds(target, values.map(Math.round));
      canvas.classList.add('has-places');
      canvas.style.setProperty('--width', Math.round(width));
    }
    this.isOn = true;
    this.#place.classList.add('arranging');
    this.#fit();
    this.say('drag controls, their lower right corners to resize; arrows move, with Shift they resize');
  }

  end() {
    this.isOn = false;
    this.#moved = null;
    this.#place.classList.remove('arranging');
  }

  // The layout in the form that the server saves.
  layout(panel) {
    const layout = { widgets: {}, groups: {} };
    const whole = values => values.map(Math.round);
    for (const widget of this.#place.querySelectorAll('.widget.placed')) layout.widgets[widget.spec.id] = whole(bounds(widget));
    for (const group of this.#place.querySelectorAll('[data-group]')) {
      if (group.classList.contains('placed')) layout.groups[group.dataset.group] = whole(bounds(group));
    }
    for (const canvas of this.#place.querySelectorAll('.canvas.has-places')) {
      const size = ['--width', '--height'].map(name => Math.round(Number(canvas.style.getPropertyValue(name))));
      if (canvas.dataset.window) layout.groups[canvas.dataset.window] = [0, 0, ...size];
      else layout.size = size;
    }
    return panel.widgets.length > 0 ? layout : null;
  }

  #take(event) {
    event.preventDefault();
    event.stopPropagation();
  }

  // Makes every canvas large enough for what is placed on it.
  #fit() {
    for (const canvas of this.#place.querySelectorAll('.canvas.has-places')) {
      const before = ['--width', '--height'].map(name => Number(canvas.style.getPropertyValue(name)) || 0);
      setSize(canvas, ...reach(canvas).map((size, side) => Math.max(size, before[side])));
    }
  }

  #grasp(event) {
    if (!this.isOn || event.button !== 0) return;
    const widget = event.target.closest('.widget');
    if (!widget) return;
    this.#take(event);
    const box = widget.getBoundingClientRect();
    const isCorner = event.clientX > box.right - edge && event.clientY > box.bottom - edge;
    (widget.querySelector(':is([tabindex], button, input, select):not([aria-hidden])') ?? widget).focus?.();
    this.#place.setPointerCapture(event.pointerId);
    this.#moved = { widget, isCorner, x: event.clientX, y: event.clientY, before: bounds(widget) };
  }

  #move(event) {
    if (!this.#moved) return;
    this.#take(event);
    const { widget, isCorner, x, y, before } = this.#moved;
    const zoom = Number(widget.closest('.canvas').style.getPropertyValue('--zoom')) || 1;
    this.#put(widget, isCorner, before, (event.clientX - x) / zoom, (event.clientY - y) / zoom);
  }

  #put(widget, resizes, [x, y, width, height], right, down) {
    setBounds(widget, resizes
      ? [x, y, Math.max(2 * grid, snapped(width + right)), Math.max(2 * grid, snapped(height + down))]
      : [Math.max(0, snapped(x + right)), Math.max(0, snapped(y + down)), width, height]);
    this.#fit();
  }

  #key(event) {
    if (!this.isOn) return;
    const way = { ArrowRight: [grid, 0], ArrowLeft: [-grid, 0], ArrowDown: [0, grid], ArrowUp: [0, -grid] }[event.key];
    const widget = event.target.closest('.widget');
    if (!widget || event.key === 'Tab') return;
    this.#take(event);
    if (way) this.#put(widget, event.shiftKey, bounds(widget), ...way);
  }
}
