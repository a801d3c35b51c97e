// Menu, radio, field, file: the widgets whose values are chosen or typed.

import { Widget, element } from './widget.js';

class Choice extends Widget {
  get options() { return this.spec.options ?? []; }
  valueOf(option) { return option.text ?? option.value ?? 0; }
  indexOf(value) { return this.options.findIndex(option => this.valueOf(option) === value); }

  choose(index) {
    const name = this.channel();
    const show = choice => this.receive(this.valueOf(this.options[choice]));
    const before = name ? this.indexOf(this.connection.value(name)) : this.chosen ?? -1;
    this.chosen = index;
    this.connection.choose(this.spec.id, index, { name, value: this.valueOf(this.options[index]), before, show });
  }
}

class Menu extends Choice {
  build() {
    const onchange = () => this.choose(this.list.selectedIndex);
    this.list = element('select', { 'aria-label': this.spokenName, disabled: Boolean(this.spec.isReadOnly), onchange },
      ...this.options.map((option, index) => element('option', { value: index }, option.label)));
    this.list.selectedIndex = -1;
    if (this.caption || !this.spec.bounds) this.append(element('span', { class: 'name' }, this.caption || this.channel()));
    this.append(this.list);
  }

  receive(value) { this.list.selectedIndex = this.chosen = this.indexOf(value); }
}

class Radio extends Choice {
  build() {
    const name = `radio-${this.spec.id}`;
    this.buttons = this.options.map((option, index) => {
      const onchange = () => this.choose(index);
      return element('input', {
        type: 'radio', name, value: index, 'aria-label': option.label, disabled: Boolean(this.spec.isReadOnly), onchange,
      });
    });
    const group = element('div', { role: 'radiogroup', 'aria-label': this.spokenName },
      ...this.options.map((option, index) => element('label', {}, this.buttons[index], element('span', { class: 'choice' }, option.label))));
    if (this.spec.columns) {
      this.classList.add('in-columns');
      group.style.setProperty('--columns', this.spec.columns);
    }
    if (this.caption) this.append(element('span', { class: 'name' }, this.caption));
    this.append(group);
  }

  receive(value) {
    this.chosen = this.indexOf(value);
    this.buttons.forEach((button, index) => { button.checked = index === this.chosen; });
  }
}

class Field extends Widget {
  build() {
    this.input = element('input', {
      type: 'text', 'aria-label': this.spokenName, spellcheck: 'false', autocapitalize: 'off', autocomplete: 'off',
    });
    this.input.readOnly = Boolean(this.spec.isReadOnly);
    this.input.value = this.spec.text ?? '';
    if (this.caption || !this.spec.bounds) this.append(element('span', { class: 'name' }, this.caption || this.channel()));
    this.append(this.input);
    const send = () => {
      this.missed = undefined;
      this.connection.setText(this.channel(), this.input.value);
    };
    this.input.addEventListener('change', send);
    this.input.addEventListener('keydown', event => { if (event.key === 'Enter') send(); });
    this.input.addEventListener('blur', () => {
      if (this.missed !== undefined) this.input.value = this.missed;
      this.missed = undefined;
    });
  }

  receive(value) {
    if (typeof value !== 'string') return;
    // Another text does not come in while one is typed.
    if (document.activeElement === this.input) this.missed = value;
    else this.input.value = value;
  }
}

customElements.define('panel-menu', Menu);
customElements.define('panel-radio', Radio);
customElements.define('panel-field', Field);
