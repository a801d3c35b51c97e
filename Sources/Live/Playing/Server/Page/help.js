// What the computer's keyboard does: shown by `?` and by a button.

import { element } from './widget.js';

const lines = [
  ['A W S E D … ;', 'play the keys of the keyboard that has letters on it'],
  ['Z and X', 'move the letters an octave down and up'],
  ['1, 2, 3 …', 'choose the keyboard that letters play, from the top'],
  ['Tab, arrows', 'go to a control, and change it; Space and Enter press it'],
  ['Page Up, Page Down', 'change it by larger steps'],
  ['Home, End', 'set it to its least and its greatest value'],
  ['Ctrl+Z, Ctrl+Y', 'take back the last change, and make it again'],
  ['Delete', 'on a preset, deletes it'],
  ['?', 'shows this'],
];

export class Help {
  constructor(dialog, button) {
    const plain = element('input', { type: 'checkbox' });
    plain.checked = localStorage.getItem('names on keys') !== 'no';
    const show = () => document.body.classList.toggle('plain-keys', !plain.checked);
    plain.addEventListener('change', () => {
      localStorage.setItem('names on keys', plain.checked ? 'yes' : 'no');
      show();
    });
    show();
    dialog.append(
      element('h2', {}, 'Keys'),
      element('dl', {}, ...lines.flatMap(([keys, text]) => [element('dt', {}, keys), element('dd', {}, text)])),
      element('p', {}, element('label', {}, plain, ' Letters and note names on the keys')),
      element('button', { type: 'button', onclick: () => dialog.close() }, 'Close'));
    button.addEventListener('click', () => dialog.showModal());
    this.dialog = dialog;
  }

  // Takes a key; true if it opens the page of keys.
  take(event) {
    if (event.key !== '?' || this.dialog.open) return false;
    this.dialog.showModal();
    return true;
  }
}
