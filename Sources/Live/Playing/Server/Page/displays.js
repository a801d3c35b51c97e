// Label, meter, text, console, panel: the widgets that only show something.

import { Widget, element } from './widget.js';
import { Log } from './log.js';
import { Range } from './range.js';

class Label extends Widget {
  build() {
    this.range = new Range(this.spec.ranges?.[0]);
    this.output = element('output', { 'aria-label': this.spokenName }, '–');
    if (this.caption || !this.spec.bounds) this.append(element('span', { class: 'name' }, this.caption || this.channel()));
    this.append(this.output);
  }

  receive(value) {
    // A value that is no finite number arrives as null.
    const text = typeof value === 'string' ? value : value === null ? '–'
      : this.spec.ranges?.length > 0 || this.spec.precision !== undefined
        ? this.range.text(value, this.spec.precision) : String(Number(value.toPrecision(6)));
    if (this.output.textContent !== text) this.output.textContent = text;
  }
}

class Meter extends Widget {
  build() {
    this.range = new Range(this.spec.ranges?.[0]);
    this.fill = element('div', { class: 'fill' });
    this.number = element('span', { class: 'value' });
    this.track = element('div', {
      class: 'track', role: 'meter', 'aria-label': this.spokenName, 'aria-valuemin': this.range.low,
      'aria-valuemax': this.range.high,
    }, this.fill, element('span', { class: 'name' }, this.caption || (this.spec.bounds ? '' : this.channel())), this.number);
    this.append(this.track);
    this.receive(this.range.minimum);
  }

  receive(value) {
    const part = this.range.positionOf(value);
    this.fill.style.transform = this.spec.isVertical ? `scaleY(${part})` : `scaleX(${part})`;
    const text = this.range.text(value, this.spec.precision);
    this.number.textContent = text;
    this.track.setAttribute('aria-valuenow', value);
    this.track.setAttribute('aria-valuetext', text);
  }
}

class Text extends Widget {
  build() { this.textContent = this.spec.text ?? this.caption; }
}

class Console extends Widget {
  build() {
    this.text = element('pre', { role: 'log', 'aria-live': 'off', 'aria-label': this.caption || 'Console', tabindex: 0 });
    this.append(this.text);
    const log = new Log(this.text);
    this.hear('console', detail => log.append(detail));
    this.hear('open', () => log.clear());
  }
}

class Backdrop extends Widget {
  build() { this.setAttribute('aria-hidden', 'true'); this.textContent = this.caption; }
}

customElements.define('panel-label', Label);
customElements.define('panel-meter', Meter);
customElements.define('panel-text', Text);
customElements.define('panel-console', Console);
customElements.define('panel-backdrop', Backdrop);
