// Two values in a plane.

import { Widget, element, placeOn } from './widget.js';
import { Handle, drag } from './valuators.js';

class Pad extends Widget {
  build() {
    this.plane = element('div', { class: 'plane', role: 'group', 'aria-label': this.spokenName });
    this.dot = element('div', { class: 'dot' });
    this.number = element('span', { class: 'value' });
    this.append(this.plane);
    this.handles = ['x', 'y'].map((axis, index) => {
      const line = element('div', { class: `line ${axis}` });
      this.plane.append(line);
      return new Handle(this, index, line, {
        name: `${this.spokenName}, ${axis}`, onChange: () => this.show(),
      });
    });
    this.plane.append(this.dot, element('span', { class: 'name' }, this.caption), this.number);
    this.show();
    drag(this, this.plane, {
      move: event => {
        // The last positions of the pointer since the last event, so that fast gestures are complete. A mouse may have
        // thousands in a second, too many messages for the server.
        const places = (event.getCoalescedEvents?.() ?? []).slice(-4);
        for (const place of places.length > 0 ? places : [event]) {
          const { x, y } = placeOn(this.plane, place);
          this.handles[0].setPosition(x);
          this.handles[1].setPosition(1 - y);
        }
      },
      restore: () => this.handles.forEach(handle => handle.restore()),
    });
  }

  show() {
    if (!this.handles) return;
    const [x, y] = this.handles.map(handle => 100 * handle.position);
    this.dot.style.left = `${x}%`;
    this.dot.style.bottom = `${y}%`;
    this.handles[0].handle.style.left = `${x}%`;
    this.handles[1].handle.style.bottom = `${y}%`;
    this.number.textContent = this.handles.map(handle => handle.text).join('  ');
  }

  receive(value, index) { this.handles[index]?.show(value); }
}

customElements.define('panel-pad', Pad);
