// Drawn keys that are played by sliding fingers, by the pointer and by the computer's keyboard, in the panel and in the
// page that `package --os web` makes.

import { element } from './element.js';

const blackKeys = new Set([1, 3, 6, 8, 10]);
const noteNames = ['C', 'C♯', 'D', 'E♭', 'E', 'F', 'F♯', 'G', 'A♭', 'A', 'B♭', 'B'];
// The keys of the computer's keyboard that play notes, by their position, as on a piano from C on.
const letters = ['KeyA', 'KeyW', 'KeyS', 'KeyE', 'KeyD', 'KeyF', 'KeyT', 'KeyG', 'KeyY', 'KeyH', 'KeyU', 'KeyJ',
  'KeyK', 'KeyO', 'KeyL', 'KeyP', 'Semicolon'];

export class Keys {
  #keys = new Map();
  // The key that each holder presses. A holder is a pointer's id, the code of a letter, 'focus' or 'click'.
  #holders = new Map();
  #gone = new AbortController();
  #sound;

  // `count` keys from the MIDI note `low` on; `sound` is called with each key that is pressed or released, and whether
  // it is pressed. `elements` are a bar with buttons and the keys.
  constructor({ low = 48, count = 25, name, caption }, sound) {
    this.#sound = sound;
    // Letters begin at the C that puts them nearest to the middle.
    const middle = Math.round((low + (count - letters.length) / 2) / 12) * 12;
    this.octave = middle < low ? middle + 12 : middle;
    if (this.octave >= low + count) this.octave = low;
    this.board = element('div', { class: 'board', role: 'group', 'aria-label': `${name}, keys` });
    const whites = [...Array(count).keys()].filter(index => !blackKeys.has((low + index) % 12)).length;
    this.board.style.setProperty('--whites', whites);
    let white = 0;
    for (let key = low; key < low + count; key++) {
      const isBlack = blackKeys.has(key % 12);
      const made = element('div', {
        class: isBlack ? 'key black' : 'key white', role: 'button', 'aria-pressed': 'false',
        tabindex: key === low ? 0 : -1, 'data-key': key, 'aria-label': `${noteNames[key % 12]}${Math.floor(key / 12) - 1}`,
      });
      if (key % 12 === 0) made.dataset.note = `C${key / 12 - 1}`;
      made.style.setProperty('--place', white);
      if (!isBlack) white += 1;
      this.#keys.set(key, made);
      this.board.append(made);
    }
    this.strip = element('div', { class: 'keys' }, this.board);
    // Where not all keys have room, buttons move along them by an octave. With the arrow keys the focus does.
    const button = (sign, way) => element('button', {
      type: 'button', tabindex: -1, 'aria-hidden': 'true', onclick: () => this.strip.scrollBy({ left: way * this.octaveWidth }),
    }, sign);
    this.elements = [
      element('div', { class: 'octaves' }, button('◂', -1), element('span', { class: 'name' }, caption), button('▸', 1)), this.strip,
    ];
    this.watcher = new ResizeObserver(() => this.center());
    this.watcher.observe(this.strip);
    this.listen();
  }

  // Where not all keys have room, those in the middle are seen first.
  center() {
    const excess = this.strip.scrollWidth - this.strip.clientWidth;
    if (this.strip.clientWidth === 0 || excess <= 0) return;
    this.strip.scrollLeft = Math.floor(excess / 2 / this.octaveWidth) * this.octaveWidth;
    this.watcher.disconnect();
  }

  // When the keys are no longer shown.
  leave() {
    this.watcher.disconnect();
    this.#gone.abort();
  }

  get octaveWidth() { return 7 * this.board.querySelector('.key.white').getBoundingClientRect().width; }

  listen() {
    this.board.addEventListener('pointerdown', event => {
      if (event.button !== 0) return;
      // No key captures the pointer, so that it can slide from one key to the next.
      event.target.releasePointerCapture?.(event.pointerId);
      event.preventDefault();
      this.move(event.pointerId, this.under(event));
    });
    const { signal } = this.#gone;
    addEventListener('pointermove', event => {
      if (this.#holders.has(event.pointerId)) this.move(event.pointerId, this.under(event));
    }, { signal });
    for (const type of ['pointerup', 'pointercancel']) {
      addEventListener(type, event => this.move(event.pointerId, undefined), { signal });
    }
    this.board.addEventListener('contextmenu', event => event.preventDefault());
    this.board.addEventListener('keydown', event => this.keyDown(event));
    this.board.addEventListener('keyup', event => {
      if (event.key === ' ' || event.key === 'Enter') this.move('focus', undefined);
    });
    this.board.addEventListener('focusout', () => this.move('focus', undefined));
    this.board.addEventListener('click', event => {
      // A screen reader's click comes without a pointer.
      const key = Number(event.target.dataset?.key);
      if (event.detail !== 0 || event.pointerType || Number.isNaN(key)) return;
      this.move('click', key);
      setTimeout(() => this.move('click', undefined), 300);
    });
  }

  under(event) {
    const found = document.elementFromPoint(event.clientX, event.clientY);
    return found?.parentElement === this.board ? Number(found.dataset.key) : undefined;
  }

  keyDown(event) {
    const key = Number(event.target.dataset.key);
    const step = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 12, PageDown: -12 }[event.key];
    if (step) {
      const next = this.#keys.get(key + step);
      if (next) {
        event.target.tabIndex = -1;
        next.tabIndex = 0;
        next.focus();
      }
    } else if (event.key === ' ' || event.key === 'Enter') {
      if (!event.repeat) this.move('focus', key);
    } else return;
    event.preventDefault();
  }

  // Takes a key of the computer's keyboard; true if it plays a note.
  letter(code, isDown) {
    const index = letters.indexOf(code);
    const key = this.octave + index;
    if (!isDown) this.move(code, undefined);
    else if (index < 0 || !this.#keys.has(key)) return false;
    else if (!this.#holders.has(code)) this.move(code, key);
    return true;
  }

  shift(octaves) {
    const next = this.octave + 12 * octaves;
    if (this.#keys.has(next)) this.octave = next;
    this.showLetters(true);
  }

  // Writes the letters on the keys that they play.
  showLetters(hasLetters) {
    for (const [key, made] of this.#keys) {
      const letter = hasLetters && letters[key - this.octave];
      if (letter) made.dataset.letter = letter === 'Semicolon' ? ';' : letter.slice(3);
      else delete made.dataset.letter;
    }
  }

  // Moves a holder from its key to another one, or to none.
  move(holder, key) {
    const before = this.#holders.get(holder);
    if (before === key) return;
    if (key === undefined) this.#holders.delete(holder);
    else this.#holders.set(holder, key);
    const held = new Set(this.#holders.values());
    if (key !== undefined && this.#keys.get(key).getAttribute('aria-pressed') !== 'true') this.sound(key, true);
    if (before !== undefined && !held.has(before)) this.sound(before, false);
  }

  sound(key, isDown) {
    this.#keys.get(key).setAttribute('aria-pressed', isDown);
    this.#sound(key, isDown);
  }

  // Shows a key as pressed or released by something else.
  show(key, isDown) { this.#keys.get(key)?.setAttribute('aria-pressed', isDown); }

  release() {
    this.#holders.clear();
    for (const key of this.#keys.values()) key.setAttribute('aria-pressed', 'false');
  }
}
