// Slider, knob, number, range: one value along a line, or two.

import { Widget, drawing, element, isScrolling, placeOn } from './widget.js';
import { Range } from './range.js';

const keySteps = {
  ArrowRight: 0.01, ArrowUp: 0.01, ArrowLeft: -0.01, ArrowDown: -0.01, PageUp: 0.1, PageDown: -0.1,
  Home: -2, End: 2,
};

// The value of one channel, which the user can move by keys and the wheel, or type.
export class Handle {
  constructor(widget, index, handle, { role = 'slider', name = widget.spokenName, onChange } = {}) {
    this.widget = widget;
    this.index = index;
    this.handle = handle;
    this.range = new Range(widget.spec.ranges?.[index]);
    this.onChange = onChange;
    this.value = widget.connection.value(widget.channel(index)) ?? this.range.rest;
    handle.setAttribute('role', role);
    handle.setAttribute('aria-label', name);
    handle.setAttribute('aria-valuemin', this.range.low);
    handle.setAttribute('aria-valuemax', this.range.high);
    if (widget.spec.isReadOnly) handle.setAttribute('aria-readonly', 'true');
    else {
      handle.tabIndex = 0;
      handle.addEventListener('keydown', event => this.#key(event));
    }
    this.show(this.value);
  }

  get text() { return this.range.text(this.value, this.widget.spec.precision); }

  show(value) {
    if (typeof value !== 'number' || Number.isNaN(value)) return;
    this.value = value;
    this.handle.setAttribute('aria-valuenow', value);
    this.handle.setAttribute('aria-valuetext', this.text);
    this.onChange?.(this);
  }

  // Sets the value for the user, and sends it.
  set(value) {
    const admitted = this.limit ? this.limit(this.range.admitted(value)) : this.range.admitted(value);
    if (admitted === this.value) return;
    this.show(admitted);
    this.widget.connection.set(this.widget.channel(this.index), admitted);
  }

  setPosition(position) { this.set(this.range.valueAt(position)); }
  get position() { return this.range.positionOf(this.value); }
  // Goes to the first value: what the piece began with, or else what the panel says.
  restore() { this.set(this.widget.connection.first(this.widget.channel(this.index)) ?? this.range.rest); }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = keySteps[event.key];
    const parts = event.shiftKey ? step / 10 : step;
    if (step) this.set(event.key.startsWith('Arrow') ? this.range.next(this.value, parts) : this.range.moved(this.value, parts));
    else if (event.key === 'Delete' || event.key === 'Backspace') this.restore();
    else if (event.key === 'Enter') this.type('');
    else if (/^[-+.0-9]$/.test(event.key)) this.type(event.key);
    else return;
    event.preventDefault();
  }

  listenToWheel(target) {
    target.addEventListener('wheel', event => {
      if (isScrolling() || event.ctrlKey || event.deltaY === 0) return;
      event.preventDefault();
      this.set(this.range.moved(this.value, event.deltaY < 0 ? 0.01 : -0.01));
    }, { passive: false });
  }

  // Shows a field over the widget, to type the value into. If a click has opened it, a second click is a double click.
  type(text, isClick = false) {
    if (this.widget.spec.isReadOnly || this.widget.querySelector('input.typed')) return;
    const field = element('input', {
      class: 'typed', type: 'text', inputmode: 'decimal', 'aria-label': `${this.widget.spokenName}, value`,
    });
    field.value = text || this.text;
    // Rounded, so that leaving it as it is must not set it.
    const shown = field.value;
    let isOver = false;
    const end = isTaken => {
      // Chromium blurs the field while it is removed.
      if (isOver) return;
      isOver = true;
      const value = Number(field.value.trim().replace(',', '.'));
      field.remove();
      const isNew = text || field.value !== shown;
      if (isTaken && isNew && field.value.trim() !== '' && Number.isFinite(value)) this.set(value);
      this.handle.focus();
    };
    field.addEventListener('keydown', event => {
      event.stopPropagation();
      if (event.key === 'Enter') end(true);
      else if (event.key === 'Escape') end(false);
    });
    for (const type of ['pointerdown', 'dblclick']) field.addEventListener(type, event => event.stopPropagation());
    const opened = performance.now();
    if (isClick) field.addEventListener('mousedown', event => {
      if (event.detail < 2 && event.timeStamp - opened > 400) return;
      event.preventDefault();
      end(false);
      this.restore();
    }, { once: true });
    field.addEventListener('blur', () => end(true));
    this.widget.append(field);
    field.focus();
    if (!text) field.select();
  }
}

// Milliseconds for which a finger rests on a control that it is to move up or down. One that moves sooner scrolls.
const restTime = 150;

// Whether a finger that begins to move drags the control, and does not scroll the page.
function isDrag(event, start) {
  return event.pointerType !== 'touch' || event.timeStamp - start.time >= restTime
    || Math.abs(event.clientX - start.x) > Math.abs(event.clientY - start.y)
    || document.scrollingElement.scrollHeight <= innerHeight;
}

// Follows a pointer that is pressed on an element: calls `move(event, start)` for its movements, and holds the channels
// with `grasp` until `letGo`. A double click calls `restore(event)`. The style sheet lets fingers scroll the page up and
// down from elements with `touch-action: pan-y`.
export function drag(widget, target, { begin, move, end, restore, isJumping = true }) {
  if (widget.spec.isReadOnly) return;
  const starts = new Map();
  const channels = widget.spec.channels ?? [];
  if (restore) target.addEventListener('dblclick', restore);
  target.addEventListener('touchmove', event => {
    if ([...starts.values()].some(({ isDrag }) => isDrag)) event.preventDefault();
  }, { passive: false });
  target.addEventListener('pointerdown', event => {
    if (event.button !== 0 || starts.size > 0) return;
    target.setPointerCapture(event.pointerId);
    widget.connection.grasp(...channels);
    const start = { x: event.clientX, y: event.clientY, time: event.timeStamp, memory: begin?.(event) };
    starts.set(event.pointerId, start);
    // A finger may be about to scroll, so a touch has no effect before the finger moves.
    if (event.pointerType !== 'touch' && isJumping) move(event, start);
  });
  target.addEventListener('pointermove', event => {
    const start = starts.get(event.pointerId);
    if (!start) return;
    start.isDrag ??= getComputedStyle(target).touchAction === 'none' || isDrag(event, start);
    if (start.isDrag) move(event, start);
  });
  const finish = event => {
    const start = starts.get(event.pointerId);
    if (!start) return;
    starts.delete(event.pointerId);
    const isTap = event.type === 'pointerup' && start.isDrag === undefined;
    if (isTap && event.pointerType === 'touch' && isJumping) move(event, start);
    end?.(event, start);
    widget.connection.letGo(...channels);
  };
  for (const type of ['pointerup', 'pointercancel', 'lostpointercapture']) target.addEventListener(type, finish);
}

// A widget with one value.
class Valuator extends Widget {
  receive(value) { this.value.show(value); }
}

class Slider extends Valuator {
  build() {
    this.fill = element('div', { class: 'fill' });
    this.number = element('span', { class: 'value' });
    this.track = element('div', { class: 'track' }, this.fill,
      element('span', { class: 'name' }, this.caption || (this.spec.bounds ? '' : this.channel())), this.number);
    this.append(this.track);
    const isVertical = this.spec.isVertical;
    this.track.setAttribute('aria-orientation', isVertical ? 'vertical' : 'horizontal');
    this.value = new Handle(this, 0, this.track, { onChange: handle => this.show(handle) });
    if (this.spec.isReadOnly) return;
    this.value.listenToWheel(this.track);
    drag(this, this.track, {
      move: (event, start) => {
        const { x, y } = placeOn(this.track, event);
        const along = isVertical ? 1 - y : x;
        const position = this.spec.isReversed ? 1 - along : along;
        if (!event.shiftKey) { start.fine = undefined; this.value.setPosition(position); return; }
        // With Shift the value moves ten times finer, from where it was.
        start.fine ??= { from: position, at: this.value.position };
        this.value.setPosition(start.fine.at + (position - start.fine.from) / 10);
      },
      restore: event => {
        if (event.target === this.number) this.value.type('');
        else this.value.restore();
      },
    });
  }

  show(handle) {
    const part = handle.position;
    this.fill.style.transform = this.spec.isVertical ? `scaleY(${part})` : `scaleX(${part})`;
    this.number.textContent = handle.text;
  }
}

class Knob extends Valuator {
  build() {
    this.arc = drawing('path', { class: 'arc' });
    const back = drawing('path', { class: 'back', d: arc(0, 1) });
    this.hand = drawing('line', { class: 'hand', x1: 0, y1: 0, x2: 0, y2: 0 });
    const picture = drawing('svg', { viewBox: '-50 -50 100 100', 'aria-hidden': 'true' });
    picture.append(back, this.arc, this.hand);
    this.number = element('span', { class: 'value' });
    this.dial = element('div', { class: 'dial' }, picture, this.number);
    this.append(this.dial);
    if (this.caption || !this.spec.bounds) this.append(element('span', { class: 'name' }, this.caption || this.channel()));
    this.value = new Handle(this, 0, this.dial, { onChange: handle => this.show(handle) });
    if (this.spec.isReadOnly) return;
    this.value.listenToWheel(this);
    drag(this, this.dial, {
      isJumping: false,
      begin: () => this.value.position,
      move: (event, start) => {
        const way = (event.clientX - start.x) - (event.clientY - start.y);
        this.value.setPosition(start.memory + way / (event.shiftKey ? 2000 : 200));
      },
    });
    this.addEventListener('dblclick', event => {
      if (event.target === this.number) this.value.type('');
      else this.value.restore();
    });
  }

  show(handle) {
    const part = handle.position;
    const range = handle.range;
    const zero = range.curve === 'linear' && range.low < 0 && range.high > 0 ? range.positionOf(0) : 0;
    this.arc.setAttribute('d', arc(Math.min(zero, part), Math.max(zero, part)));
    const [x, y] = onDial(part, 1);
    for (const [key, value] of Object.entries({ x1: x * 22, y1: y * 22, x2: x * 40, y2: y * 40 })) this.hand.setAttribute(key, value);
    this.number.textContent = handle.text;
  }
}

function onDial(part, radius) {
  const angle = (0.75 + 1.5 * part) * Math.PI;
  return [Math.cos(angle) * radius, Math.sin(angle) * radius];
}

function arc(from, to) {
  const [x1, y1] = onDial(from, 40);
  const [x2, y2] = onDial(to, 40);
  return `M ${x1} ${y1} A 40 40 0 ${to - from > 2 / 3 ? 1 : 0} 1 ${x2} ${y2}`;
}

class NumberBox extends Valuator {
  build() {
    // Not high enough for a name above the number, unless both are small because the name leaves no width either.
    const { width, height } = this.spec.bounds ?? {};
    if (height < 34) this.classList.add(width < 7 * this.caption.length + 60 ? 'tight' : 'low');
    this.number = element('span', { class: 'value' });
    this.box = element('div', { class: 'box' }, this.number);
    if (this.caption || !this.spec.bounds) this.append(element('span', { class: 'name' }, this.caption || this.channel()));
    this.append(this.box);
    this.value = new Handle(this, 0, this.box, {
      role: 'spinbutton', onChange: handle => { this.number.textContent = handle.text; },
    });
    if (this.spec.isReadOnly) return;
    this.value.listenToWheel(this.box);
    drag(this, this.box, {
      isJumping: false,
      begin: () => this.value.position,
      move: (event, start) => {
        const way = (event.clientX - start.x) - (event.clientY - start.y);
        if (Math.abs(way) < 3) return;
        start.hasMoved = true;
        const { range } = this.value;
        const whole = range.step > 0 ? Math.abs(range.maximum - range.minimum) / range.step : 400;
        this.value.setPosition(start.memory + way / Math.max(100, Math.min(4000, whole * 4)) / (event.shiftKey ? 10 : 1));
      },
      end: (event, start) => {
        const isClick = start.isDrag === undefined || start.isDrag && !start.hasMoved;
        if (event.type === 'pointerup' && isClick) this.value.type('', true);
      },
    });
  }
}

class RangeSlider extends Widget {
  build() {
    this.fill = element('div', { class: 'fill' });
    this.track = element('div', { class: 'track' }, this.fill,
      element('span', { class: 'name' }, this.caption || this.channel()));
    this.append(this.track);
    this.number = element('span', { class: 'value' });
    this.handles = [0, 1].map(index => {
      const thumb = element('div', { class: 'thumb' });
      this.track.append(thumb);
      return new Handle(this, index, thumb, {
        name: `${this.spokenName}, ${index === 0 ? 'low' : 'high'}`, onChange: () => this.show(),
      });
    });
    this.track.append(this.number);
    this.handles[0].limit = value => Math.min(value, this.handles[1].value);
    this.handles[1].limit = value => Math.max(value, this.handles[0].value);
    this.show();
    drag(this, this.track, {
      begin: event => {
        const position = this.at(event);
        const [low, high] = this.handles.map(handle => Math.abs(handle.position - position));
        return low < high || (low === high && position < this.handles[0].position) ? 0 : 1;
      },
      move: (event, start) => this.handles[start.memory].setPosition(this.at(event)),
      restore: () => this.handles.forEach(handle => handle.restore()),
    });
  }

  at(event) {
    const { x, y } = placeOn(this.track, event);
    return this.spec.isVertical ? 1 - y : x;
  }

  show() {
    if (!this.handles) return;
    const [low, high] = this.handles.map(handle => 100 * handle.position);
    const sides = this.spec.isVertical ? ['bottom', 'height'] : ['left', 'width'];
    this.fill.style[sides[0]] = `${low}%`;
    this.fill.style[sides[1]] = `${Math.max(0, high - low)}%`;
    [low, high].forEach((place, index) => { this.handles[index].handle.style[sides[0]] = `${place}%`; });
    this.number.textContent = this.handles.map(handle => handle.text).join(' … ');
  }

  receive(value, index) { this.handles[index]?.show(value); }
}

customElements.define('panel-slider', Slider);
customElements.define('panel-knob', Knob);
customElements.define('panel-number', NumberBox);
customElements.define('panel-range', RangeSlider);
