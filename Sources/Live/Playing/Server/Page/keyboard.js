// A keyboard of a panel.

import { Keys } from './keys.js';
import { Widget } from './widget.js';

class Keyboard extends Widget {
  build() {
    this.keys = new Keys({ ...this.spec.keys, name: this.spokenName, caption: this.caption },
      (key, isDown) => this.connection.key(this.spec.id, key, isDown));
    this.append(...this.keys.elements);
  }

  disconnectedCallback() { this.keys.watcher.disconnect(); }

  release() { this.keys.release(); }
}

customElements.define('panel-keyboard', Keyboard);
