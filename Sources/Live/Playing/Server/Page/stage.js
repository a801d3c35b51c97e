// The bar of the performance: record, pause, panic, the last take; and what was taken up of the values of the last time.

import { element } from './element.js';

const find = id => document.getElementById(id);

export function clock(seconds, digits = 0) {
  const minutes = Math.floor(seconds / 60);
  const rest = (Math.floor((seconds - 60 * minutes) * 10 ** digits) / 10 ** digits).toFixed(digits);
  return `${minutes}:${rest.padStart(digits ? 3 + digits : 2, '0')}`;
}

export class Stage {
  #state = { paused: false };
  // When the recording began, by this page's own clock.
  #begin = 0;

  constructor(connection) {
    const actions = {
      panic: () => connection.ask('panic'), trace: () => connection.ask('trace'),
      record: () => connection.ask('record', { on: !this.#state.recording }),
      pause: () => connection.ask('pause', { on: !this.#state.paused }), own: () => connection.settle('undo'), keep: () => connection.settle('keep'),
    };
    for (const [id, action] of Object.entries(actions)) find(id).addEventListener('click', action);
    connection.addEventListener('open', () => { find('stage').hidden = false; });
    connection.addEventListener('closed', () => { for (const button of this.#buttons) button.disabled = true; });
    connection.addEventListener('panel', () => { for (const button of this.#buttons) button.disabled = false; this.#show(); });
    connection.addEventListener('transport', ({ detail }) => {
      this.#state = detail;
      this.#begin = performance.now() - 1000 * (detail.recording?.seconds ?? 0);
      this.#show();
    });
    connection.addEventListener('taken', ({ detail }) => this.#tell(detail));
    connection.addEventListener('status', ({ detail }) => {
      find('clock').textContent = `${clock(detail.seconds)}  ${Math.round(100 * detail.load)} %`;
      this.#showTempo(detail);
      this.#showTime();
    });
    for (const id of ['record', 'pause', 'trace']) find(id).hidden = true;
  }

  get #buttons() { return find('stage').querySelectorAll('button'); }

  #show() {
    const { recording, paused, take } = this.#state;
    const [record, pause] = ['record', 'pause'].map(find);
    // Without a message about them the server has neither.
    record.hidden = pause.hidden = find('trace').hidden = !('type' in this.#state);
    record.setAttribute('aria-pressed', Boolean(recording));
    record.disabled = Boolean(recording?.isWhole);
    pause.setAttribute('aria-pressed', paused);
    const link = find('take');
    link.hidden = !take;
    if (take) Object.assign(link, { href: `take/${encodeURIComponent(take)}`, download: take, title: `Download the take ${take}` });
    this.#showTime();
  }

  // The beat counts from 1, as musicians do.
  #showTempo({ beat, tempo }) {
    const place = find('tempo');
    place.hidden = typeof tempo !== 'number';
    if (place.hidden) return;
    place.textContent = `beat ${Math.floor(beat) + 1}  ${tempo.toFixed(1).replace(/\.0$/, '')} a minute`;
  }

  #showTime() {
    const { recording } = this.#state;
    const place = find('recording');
    // The time is no news for a screen reader; the name is.
    const name = recording ? recording.name : '';
    if (place.dataset.name !== name) {
      place.dataset.name = name;
      place.replaceChildren(...(recording ? [element('span', {}, name), element('span', { 'aria-hidden': 'true' })] : []));
    }
    if (recording) place.lastChild.textContent = clock((performance.now() - this.#begin) / 1000);
  }

  #tell({ count, time, limited, left, overwritten }) {
    find('taken').hidden = count + left.length === 0;
    const date = new Date(time);
    const when = Number.isNaN(date.getTime()) ? time : date.toLocaleString();
    const sentences = [`${count} ${count === 1 ? 'value' : 'values'} of the last time (${when}) taken up.`];
    if (limited.length) sentences.push(`Limited to their new range: ${limited.join(', ')}.`);
    if (left.length) sentences.push(`Left, as they no longer fit: ${left.join(', ')}.`);
    if (overwritten.length) sentences.push(`The piece sets these again itself: ${overwritten.join(', ')}.`);
    find('taken').querySelector('p').textContent = sentences.join(' ');
  }
}
