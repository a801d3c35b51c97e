// The page: connects to the server, builds the panel, shows the status of the piece.

import { Connection } from './connection.js';
import { build } from './build.js';
import { Arranging } from './arrange.js';
import { Dock } from './dock.js';
import { Compare } from './compare.js';
import { Help } from './help.js';
import { Learning } from './learn.js';
import { Loads, Minute } from './loads.js';
import { Roving } from './roving.js';
import { settle } from './contrast.js';
import { Stage, clock } from './stage.js';
import { Log } from './log.js';
import { Motion, motionChannels } from './motion.js';
import { element } from './widget.js';

const connection = new Connection();
const find = id => document.getElementById(id);
const [panelPlace, state, undo, layout] = ['panel', 'state', 'undo', 'layout'].map(find);
const log = new Log(document.querySelector('#console pre'), find('search'), find('found'));
const compare = new Compare(find('compare'), connection);
let shown = '';
const loading = 'loading the panel';

function say(text) { state.textContent = text; }

const arranging = new Arranging(panelPlace, { say });
const arrangeButton = find('arrange');
function stopArranging() {
  arranging.end();
  arrangeButton.setAttribute('aria-pressed', false);
}
arrangeButton.addEventListener('click', () => {
  if (arranging.isOn) {
    const layout = arranging.layout(JSON.parse(shown));
    stopArranging();
    if (layout) connection.ask('layout', { layout });
    say('layout saved');
  } else {
    arranging.begin();
    arrangeButton.setAttribute('aria-pressed', true);
  }
  arrange();
});
addEventListener('keydown', event => {
  if (event.key !== 'Escape' || !arranging.isOn) return;
  show(JSON.parse(shown));
  say('as it was');
});

const learning = new Learning(connection, panelPlace, { say });
const learnButton = find('learn');
connection.addEventListener('controllers', ({ detail }) => {
  learnButton.hidden = false;
  learning.show(detail);
});
learnButton.addEventListener('click', () => {
  learning.toggle();
  learnButton.setAttribute('aria-pressed', learning.isOn);
});

const roving = new Roving(panelPlace);
panelPlace.addEventListener('shown', settleAll);
// Names of a drawn panel that have no room become smaller, with the lamps beside them.
function shrink() {
  const names = [...panelPlace.querySelectorAll('.placed :is(.name, h2, select)')].map(one => ({ one, sized: one.closest('button') ?? one }));
  for (const { sized } of names) sized.style.fontSize = '';
  if (panelPlace.classList.contains('list')) return;
  const widths = names.map(({ one }) => {
    if (!one.matches('select')) return [one.clientWidth, one.scrollWidth + 1];
    const width = one.offsetWidth;
    one.style.cssText = 'width: max-content; max-width: none; flex: none';
    const wanted = one.offsetWidth;
    one.style.cssText = '';
    return [width, wanted];
  });
  names.forEach(({ sized }, index) => {
    const [width, wanted] = widths[index];
    if (wanted > width + 1) sized.style.fontSize = `max(8px, ${parseFloat(getComputedStyle(sized).fontSize) * width / wanted}px)`;
  });
}

// Makes texts readable and the Tab key's way short. What is shown decides both.
function settleAll() {
  shrink();
  settle(panelPlace, !panelPlace.classList.contains('list'));
  roving.settle();
}
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', settleAll);

function widgets() { return [...panelPlace.querySelectorAll('.widget')]; }

const dock = new Dock(panelPlace, find('dock'));
panelPlace.addEventListener('shown', () => dock.settle(panelPlace.classList.contains('list')));

const help = new Help(find('help'), find('keys'));

// On a narrow page what is seldom needed appears at a press.
const more = find('more');
more.addEventListener('click', () => {
  more.setAttribute('aria-expanded', document.body.classList.toggle('more'));
});

const touch = matchMedia('(pointer: coarse)');
touch.addEventListener('change', () => arrange());

// Whether a finger could hardly hit some control of a panel that is drawn at this scale.
function isTooSmall(scale) {
  return [...panelPlace.querySelectorAll('.widget.placed')].some(widget => {
    if (!widget.matches(':has(button, select, input, [tabindex])') || widget.matches('.read-only, panel-console')) return false;
    const [width, height] = ['--w', '--h'].map(name => parseFloat(widget.style.getPropertyValue(name)) * scale);
    const keys = Number(widget.querySelector('.board')?.style.getPropertyValue('--whites')) || 1;
    const choices = widget.querySelectorAll('[type=radio]').length || 1;
    const columns = Number(widget.spec.columns) || 1;
    return Math.min(width / keys / columns, height / Math.ceil(choices / columns)) < 40;
  });
}

// Scales drawn panels to the width of the page, or shows them as a list: as the user chose, or else if they would be
// too small. Panels without places are a list on a narrow page and on a touch device.
let wantsList = { list: true, drawn: false }[sessionStorage.getItem('layout')];
function arrange(isNew = false) {
  const canvases = [...panelPlace.querySelectorAll('.canvas.has-places')];
  layout.hidden = canvases.length === 0;
  const { paddingLeft, paddingRight } = getComputedStyle(panelPlace);
  const room = panelPlace.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
  const widest = Math.max(1, ...canvases.map(canvas => Number(canvas.style.getPropertyValue('--width'))));
  const scale = Math.min(1.25, room / widest);
  const isList = !arranging.isOn && (canvases.length === 0 ? room < 640 || touch.matches
    : wantsList ?? (scale < 0.6 || touch.matches && isTooSmall(scale)));
  const isOther = panelPlace.classList.contains('list') !== isList;
  panelPlace.classList.toggle('list', isList);
  layout.setAttribute('aria-pressed', isList);
  for (const canvas of canvases) {
    const own = Math.min(1.25, room / Number(canvas.style.getPropertyValue('--width')));
    // Not `zoom`: inside of it browsers disagree about where an element is.
    canvas.style.setProperty('--zoom', isList ? 1 : own);
    canvas.style.marginBottom = isList ? '' : `${(own - 1) * canvas.offsetHeight}px`;
  }
  dock.settle(isList);
  if (isOther || isNew) settleAll();
}
layout.addEventListener('click', () => {
  wantsList = !panelPlace.classList.contains('list');
  sessionStorage.setItem('layout', wantsList ? 'list' : 'drawn');
  arrange();
});
const sizes = new ResizeObserver(() => arrange());
sizes.observe(panelPlace);

connection.addEventListener('panel', ({ detail: panel }) => {
  const text = JSON.stringify(panel);
  if (text !== shown) show(panel);
  if (state.textContent === loading) say('connected');
});
connection.addEventListener('notice', ({ detail }) => say(detail.text || 'connected'));

function show(panel) {
  shown = JSON.stringify(panel);
  stopArranging();
  connection.forgetWidgets();
  compare.forget();
  document.title = panel.title.trim() || 'Panel';
  find('title').textContent = document.title;
  panelPlace.replaceChildren(...build(panel, connection));
  showLeftOut(panel.leftOut);
  motionButton.hidden = !Motion.isThere || !motionChannels.some(name => connection.has(name));
  for (const canvas of panelPlace.querySelectorAll('.canvas')) sizes.observe(canvas);
  letterOn(panelPlace.querySelector('panel-keyboard'));
  learning.mark();
  arrange(true);
}

function showLeftOut(leftOut) {
  const details = find('left-out');
  details.hidden = leftOut.length === 0;
  const count = leftOut.reduce((sum, one) => sum + one.count, 0);
  details.querySelector('summary').textContent = `Left out: ${count}`;
  details.querySelector('ul').replaceChildren(...leftOut.map(({ name, count, reason }) =>
    element('li', {}, `${name}${count > 1 ? ` × ${count}` : ''}${reason ? `: ${reason}` : ''}`)));
}

connection.addEventListener('open', () => {
  say(loading);
  log.clear();
  document.body.classList.remove('cut-off');
});
connection.addEventListener('closed', ({ detail: reason }) => {
  state.textContent = reason ? `not connected: ${reason}` : 'not connected';
  document.body.classList.add('cut-off');
  for (const widget of widgets()) widget.release();
});
connection.addEventListener('refused', ({ detail }) => { state.textContent = detail.reason; });
connection.addEventListener('ended', () => { state.textContent = 'the piece has ended'; });
connection.addEventListener('console', ({ detail }) => log.append(detail));
connection.addEventListener('undoable', ({ detail }) => { undo.disabled = !detail; });
connection.addEventListener('status', ({ detail }) => {
  find('numbers').textContent = `${clock(detail.seconds, 1)}  load ${Math.round(100 * detail.load)} %  ${detail.xruns} xruns`;
  minute.show(detail);
  const levels = find('levels');
  while (levels.children.length < detail.peaks.length) levels.append(element('i', {}));
  detail.peaks.forEach((peak, index) => {
    const decibels = peak > 0 ? 20 * Math.log10(peak) : -60;
    levels.children[index].style.setProperty('--part', Math.max(0, Math.min(1, 1 + decibels / 60)));
    levels.children[index].classList.toggle('clipped', peak > 1);
  });
});

new Stage(connection);

const minute = new Minute(find('minute'));
const loads = new Loads(find('loads'));
connection.addEventListener('loads', ({ detail }) => {
  loads.show(detail.instruments);
  const lines = detail.lines.map(({ line, opcode, share }) => `line ${line} ${opcode} ${Math.round(100 * share)} %`);
  find('dearest').hidden = lines.length === 0;
  find('dearest').textContent = `dearest: ${lines.join(', ')}`;
});

undo.addEventListener('click', () => connection.undo());

// A phone's motion, if the panel has channels for it.
const motion = new Motion(connection);
const motionButton = find('motion');
motionButton.addEventListener('click', async () => {
  if (motion.isOn) motion.stop();
  else await motion.start().catch(error => { state.textContent = error.message; });
  motionButton.setAttribute('aria-pressed', motion.isOn);
});

// Presets: choosing one sets the panel to it; saving asks for a name.
const presets = find('presets');
const morph = find('morph');
connection.addEventListener('presets', ({ detail }) => {
  const { names, chosen } = detail;
  presets.replaceChildren(element('option', { value: '' }, 'Preset'),
    ...names.map(name => element('option', { value: name }, name)));
  presets.value = names.includes(chosen) ? chosen : '';
  presets.hidden = morph.hidden = names.length === 0;
});
presets.addEventListener('change', () => { if (presets.value) connection.preset(presets.value, 'recall', Number(morph.value)); });
presets.addEventListener('keydown', event => {
  if (event.key !== 'Delete' || !presets.value) return;
  connection.preset(presets.value, 'delete');
});
find('save').addEventListener('click', () => {
  const name = prompt('Save all values as', presets.value)?.trim();
  if (!name) return;
  const isThere = [...presets.options].some(option => option.value === name);
  if (isThere && !confirm(`Replace the preset '${name}'?`)) return;
  // The answer has the new list, with this preset chosen.
  connection.preset(name, 'save');
});

function isTyping(target) { return target.matches?.('input:not([type=radio])'); }

// The keyboard that letters play: the one that was used last.
let lettered;
function letterOn(keyboard) {
  lettered?.keys.showLetters(false);
  lettered = keyboard;
  lettered?.keys.showLetters(true);
  find('letters').hidden = !lettered;
}
for (const type of ['pointerdown', 'focusin']) {
  panelPlace.addEventListener(type, event => {
    const keyboard = event.target.closest('panel-keyboard');
    if (keyboard && keyboard !== lettered) letterOn(keyboard);
  });
}

addEventListener('keydown', event => {
  const wish = event.ctrlKey || event.metaKey ? event.key.toLowerCase() : '';
  if ((wish === 'z' || wish === 'y') && !isTyping(event.target)) {
    event.preventDefault();
    if (wish === 'y' || event.shiftKey) connection.redo();
    else connection.undo();
  }
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  if (isTyping(event.target) || help.dialog.open) return;
  if (help.take(event)) event.preventDefault();
  if (!lettered) return;
  const chosen = /^Digit[1-9]$/.test(event.code)
    && panelPlace.querySelectorAll('panel-keyboard')[event.code.slice(5) - 1];
  if (chosen) return letterOn(chosen);
  if (event.code === 'KeyZ' || event.code === 'KeyX') lettered.keys.shift(event.code === 'KeyZ' ? -1 : 1);
  else if (!lettered.keys.letter(event.code, true)) return;
  event.preventDefault();
});
addEventListener('keyup', event => {
  for (const keyboard of panelPlace.querySelectorAll('panel-keyboard')) keyboard.keys.letter(event.code, false);
});

// When the user leaves the page, everything that is held down is released.
function leave() {
  connection.ask('release');
  for (const widget of widgets()) widget.release();
}
addEventListener('blur', leave);
addEventListener('pagehide', leave);
document.addEventListener('visibilitychange', () => { if (document.hidden) leave(); });

connection.open();
// For tests, and for experiments in the browser's console.
window.panelConnection = connection;
