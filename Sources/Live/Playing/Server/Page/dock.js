// On a phone the keyboards stay at the bottom, below the controls that scroll. Buttons show and hide each of them.

import { element } from './widget.js';

const small = matchMedia('(max-width: 40rem), (max-height: 30rem)');

export class Dock {
  #place;
  #bar;
  // Whether a keyboard was shown or hidden by its button.
  #chosen = new WeakMap();
  #docked = [];

  constructor(place, bar) {
    [this.#place, this.#bar] = [place, bar];
    this.watcher = new ResizeObserver(() => this.#put());
  }

  // The keyboards that are seen, but for those on a page of tabs that is not shown.
  get #keyboards() {
    return [...this.#place.querySelectorAll('panel-keyboard')].filter(one => !one.closest('.group[hidden]'));
  }

  // Takes the keyboards of a list, or gives them back.
  settle(isList) {
    const keyboards = isList && small.matches ? this.#keyboards : [];
    if (keyboards.length === this.#docked.length && keyboards.every((one, index) => one === this.#docked[index])) return;
    for (const one of this.#docked) one.classList.remove('docked', 'away');
    this.#docked = keyboards;
    this.watcher.disconnect();
    this.#bar.hidden = keyboards.length === 0;
    const first = keyboards.find(one => this.#chosen.get(one)) ?? keyboards[0];
    this.#bar.replaceChildren(...keyboards.map(one => {
      const isShown = this.#chosen.get(one) ?? one === first;
      one.classList.add('docked');
      one.classList.toggle('away', !isShown);
      this.watcher.observe(one);
      const name = one.caption || 'Keys';
      const onclick = ({ target }) => {
        const isAway = one.classList.toggle('away');
        this.#chosen.set(one, !isAway);
        target.setAttribute('aria-pressed', !isAway);
        this.#put();
      };
      return element('button', { type: 'button', 'aria-pressed': String(isShown), 'aria-label': `Show ${name}`, onclick }, name);
    }));
    this.#put();
  }

  // Puts those that are shown above one another, and leaves as much room below the controls.
  #put() {
    let height = this.#bar.offsetHeight;
    for (const one of this.#docked.filter(one => !one.classList.contains('away')).reverse()) {
      one.style.setProperty('--bottom', `${height}px`);
      height += one.offsetHeight;
    }
    document.documentElement.style.setProperty('--dock', `${height}px`);
  }
}
