// Csound's messages, below the panel or in a console of its own, and the search in them.

import { element } from './widget.js';

const limit = 40000;

export class Log {
  #place;
  #field;
  #count;
  #text = '';

  // Without a field there is no search.
  constructor(place, field, count) {
    [this.#place, this.#field, this.#count] = [place, field, count];
    field?.addEventListener('input', () => { this.#show(); place.scrollTop = place.scrollHeight; });
    field?.addEventListener('keydown', event => {
      if (event.key !== 'Escape' || !field.value) return;
      event.stopPropagation();
      field.value = '';
      this.#show();
    });
  }

  // A new connection is sent all lines again.
  clear() {
    this.#text = '';
    this.#show();
  }

  // Adds messages. If the end was visible, it stays visible.
  append({ text, lost }) {
    const place = this.#place;
    const isAtEnd = place.scrollTop + place.clientHeight >= place.scrollHeight - 8;
    const gap = lost > 0 ? `… ${lost} lines were left out …\n` : '';
    this.#text = (this.#text + gap + text).slice(-limit);
    this.#show();
    if (isAtEnd) place.scrollTop = place.scrollHeight;
  }

  // Shows the lines in which the searched text is, in any case of letters, and marks it there.
  #show() {
    const wanted = this.#field?.value.trim().toLowerCase();
    if (!wanted) {
      this.#place.textContent = this.#text;
      if (this.#count) this.#count.textContent = '';
      return;
    }
    const lines = this.#text.split('\n').filter(line => line.toLowerCase().includes(wanted));
    this.#place.replaceChildren(...lines.flatMap(line => this.#marked(line, wanted)));
    this.#count.textContent = `${lines.length} ${lines.length === 1 ? 'line' : 'lines'}`;
  }

  #marked(line, wanted) {
    const parts = [];
    const lower = line.toLowerCase();
    let begin = 0;
    // A letter whose small form is longer would shift the places; such a line is shown without marks.
    while (lower.length === line.length) {
      const place = lower.indexOf(wanted, begin);
      if (place < 0) break;
      parts.push(line.slice(begin, place), element('mark', {}, line.slice(place, place + wanted.length)));
      begin = place + wanted.length;
    }
    return [...parts, `${line.slice(begin)}\n`];
  }
}
