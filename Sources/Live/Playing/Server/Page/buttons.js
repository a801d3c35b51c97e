// Button, momentary, switch, score event: the widgets that are pressed.

import { Widget, element } from './widget.js';

class Press extends Widget {
  build() {
    this.button = element('button', { type: 'button', 'aria-label': this.spokenName }, this.captionFor(false));
    this.button.disabled = Boolean(this.spec.isReadOnly);
    this.append(this.button);
    this.listen();
  }

  captionFor(isOn) { return super.captionFor(isOn) || this.spec.kind; }

  // Calls `down` and `up` for the pointer and for Space and Enter, and both at once for a screen reader's click.
  listen() {
    let pointer, key;
    this.button.addEventListener('pointerdown', event => {
      if (event.button !== 0 || pointer !== undefined) return;
      pointer = event.pointerId;
      this.button.setPointerCapture(pointer);
      this.down();
    });
    const lift = event => {
      if (event.pointerId !== pointer) return;
      pointer = undefined;
      this.up();
    };
    for (const type of ['pointerup', 'pointercancel', 'lostpointercapture']) this.button.addEventListener(type, lift);
    this.button.addEventListener('keydown', event => {
      if (event.key !== ' ' && event.key !== 'Enter') return;
      event.preventDefault();
      if (event.repeat || key !== undefined) return;
      key = event.key;
      this.down();
    });
    const keyUp = event => {
      if (event.type === 'keyup' && event.key !== key) return;
      event.preventDefault();
      if (key === undefined) return;
      key = undefined;
      this.up();
    };
    this.button.addEventListener('keyup', keyUp);
    this.button.addEventListener('blur', keyUp);
    this.button.addEventListener('click', event => {
      if (event.detail !== 0) return;
      this.down();
      this.up();
    });
    this.release = () => {
      pointer = undefined;
      key = undefined;
      this.button.classList.remove('down');
    };
  }

  // Whether the server is told of the release, too.
  get isHeld() { return false; }

  down() {
    this.button.classList.add('down');
    this.connection.ask(this.isHeld ? 'hold' : 'press', { widget: this.spec.id, down: true });
  }

  up() {
    this.button.classList.remove('down');
    if (this.isHeld) this.connection.ask('hold', { widget: this.spec.id, down: false });
  }
}

class Hold extends Press {
  get isHeld() { return true; }

  receive(value) {
    const isOn = value === (this.spec.on ?? 1);
    this.button.setAttribute('aria-pressed', isOn);
    this.button.textContent = this.captionFor(isOn);
  }
}

class ScoreEvent extends Press {
  get isHeld() { return (this.spec.release ?? []).length > 0; }
}

class Switch extends Widget {
  build() {
    this.text = element('span', { class: 'name' });
    this.button = element('button', {
      type: 'button', role: 'switch', 'aria-checked': 'false', 'aria-label': this.spokenName,
    }, element('span', { class: 'lamp' }), this.text);
    this.button.disabled = Boolean(this.spec.isReadOnly);
    this.append(this.button);
    this.receive(this.spec.off ?? 0);
    this.button.addEventListener('click', () => this.toggle());
    // Keys do not rely on the browser's own click, which can get lost if a pointer is on the button.
    for (const type of ['keydown', 'keyup']) {
      this.button.addEventListener(type, event => {
        if (event.key !== ' ' && event.key !== 'Enter') return;
        event.preventDefault();
        if (type === 'keydown' && !event.repeat) this.toggle();
      });
    }
  }

  toggle() {
    if (this.button.disabled) return;
    const values = [this.spec.off ?? 0, this.spec.on ?? 1];
    const before = values.indexOf(this.value);
    const choice = before === 1 ? 0 : 1;
    const show = choice => this.receive(values[choice]);
    this.connection.choose(this.spec.id, choice, {
      name: this.channel(), value: values[choice], before, rivals: this.spec.rivals, show,
    });
    show(choice);
  }

  receive(value) {
    this.value = value;
    const isOn = value === (this.spec.on ?? 1);
    this.button.setAttribute('aria-checked', isOn);
    this.text.textContent = this.captionFor(isOn);
  }
}

customElements.define('panel-button', Hold);
customElements.define('panel-momentary', class extends Press {});
customElements.define('panel-event', ScoreEvent);
customElements.define('panel-switch', Switch);
