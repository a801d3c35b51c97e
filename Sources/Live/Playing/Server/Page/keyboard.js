// A keyboard of a panel.

import { Keys } from './keys.js';
import { Widget } from './widget.js';

class Keyboard extends Widget {
  build() {
    this.keys = new Keys({ ...this.spec.keys, name: this.spokenName, caption: this.caption },
      (key, down) => this.connection.ask('key', { widget: this.spec.id, key, down }));
    this.append(...this.keys.elements);
  }

  disconnectedCallback() { super.disconnectedCallback(); this.keys.leave(); }

  release() { this.keys.release(); }
}

customElements.define('panel-keyboard', Keyboard);
