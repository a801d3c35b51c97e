// Builds the elements of a panel.

import { element, reach, setBounds, setSize } from './widget.js';
import { inkOn } from './contrast.js';
import { captions, choiceTexts, covered, matrices } from './flow.js';
import { spokenNames } from './names.js';
import './valuators.js';
import './pad.js';
import './buttons.js';
import './choices.js';
import './displays.js';
import './keyboard.js';
import './tables.js';
import './output.js';

// The elements of kinds that have no element of their own name.
const elements = { file: 'field', panel: 'backdrop' };

// Whether a colour is so dark that white text is easier to read on it than black.
function isDark(color) {
  const [red, green, blue] = [1, 3, 5].map(place => parseInt(color.slice(place, place + 2), 16));
  return red * 0.299 + green * 0.587 + blue * 0.114 < 128;
}

function isOpaque(color) { return Boolean(color) && parseInt(color.slice(7) || 'ff', 16) > 127; }

function scheme(background) { return isDark(background) ? 'dark' : 'light'; }

// Sets the source's colours. The style sheet uses them if the panel is drawn as in the source, not as a list.
function paint(target, { color, background, fontSize }) {
  if (background) {
    target.style.setProperty('--own-back', background);
    target.classList.add('painted');
  }
  if (isOpaque(background)) {
    target.style.setProperty('--own-scheme', scheme(background));
    target.classList.add('opaque');
  }
  if (color) {
    target.style.setProperty('--own-ink', color);
    target.style.setProperty('--own-on-ink', inkOn(color));
    target.classList.add('inked');
  }
  if (fontSize) target.style.setProperty('--size', `${fontSize}px`);
}

function place(target, bounds) {
  if (bounds) setBounds(target, [bounds.x, bounds.y, bounds.width, bounds.height]);
}

// The coloured rectangles of each canvas in drawing order: they decide how texts on them must be coloured to be
// readable.
class Grounds {
  #rectangles = new Map();

  add(target, bounds, color) {
    if (!bounds || !isOpaque(color)) return;
    const canvas = target.closest('.canvas');
    this.#rectangles.set(canvas, [...this.#rectangles.get(canvas) ?? [], { ...bounds, color }]);
  }

  settle(target, bounds) {
    if (!bounds) return;
    const [x, y] = [bounds.x + bounds.width / 2, bounds.y + bounds.height / 2];
    const below = this.#rectangles.get(target.closest('.canvas'))?.findLast(rectangle =>
      x >= rectangle.x && x <= rectangle.x + rectangle.width && y >= rectangle.y && y <= rectangle.y + rectangle.height);
    if (!below) return;
    target.style.setProperty('--ground-scheme', scheme(below.color));
    target.classList.add('grounded');
    if (target.classList.contains('painted')) return;
    target.style.setProperty('--own-back', below.color);
    target.style.setProperty('--own-scheme', scheme(below.color));
  }
}

export function build(panel, connection) {
  const grounds = new Grounds();
  const groups = new Map();
  const root = element('div', { class: 'window' });
  const windows = [root];
  const make = group => {
    if (group.kind === 'window') {
      const box = element('section', { class: 'window', 'aria-label': group.label.trim() || undefined });
      if (group.label.trim()) box.append(element('h2', {}, group.label));
      const content = element('div', { class: 'canvas', 'data-window': group.id });
      if (group.bounds) setSize(content, group.bounds.width, group.bounds.height);
      paint(content, { background: group.color });
      box.append(content);
      windows.push(box);
      return { box, content };
    }
    if (group.kind === 'tabs') return tabs(group);
    const box = element('section', { class: `group ${group.kind}`, role: 'group', 'aria-label': group.label.trim() || undefined });
    const frame = element('div', { class: 'frame', 'data-group': group.id });
    if (group.label.trim() && group.kind === 'box') frame.append(element('h2', {}, group.label));
    place(frame, group.bounds);
    paint(frame, { background: group.color });
    const content = element('div', { class: 'content' });
    box.append(frame, content);
    return { box, content };
  };
  const canvas = element('div', { class: 'canvas' });
  if (panel.size) setSize(canvas, panel.size.width, panel.size.height);
  paint(canvas, panel);
  root.append(canvas);
  // Later elements lie on top: groups are drawn below all widgets, or after the widget they are `above`.
  const ids = new Set(panel.widgets.map(widget => widget.id));
  const draw = above => {
    for (const group of panel.groups) {
      if ((ids.has(group.above) ? group.above : undefined) !== above) continue;
      const made = make(group);
      groups.set(group.id, made);
      if (group.kind === 'window') continue;
      const parent = groups.get(group.parent);
      if (group.kind === 'page' && parent?.add) parent.add(group, made);
      else (parent?.content ?? canvas).append(made.box);
      grounds.add(made.box, group.bounds, group.color);
    }
  };
  draw(undefined);
  const lent = captions(panel);
  const beside = choiceTexts(panel);
  const lenders = new Set([...lent.values(), ...[...beside.values()].flat()].filter(Boolean).map(({ id }) => id));
  const names = spokenNames(panel, lent);
  const cells = matrixCells(panel);
  const raised = covered(panel);
  for (const spec of panel.widgets) {
    const widget = document.createElement(`panel-${elements[spec.kind] ?? spec.kind}`);
    const { text: label = spec.label } = lent.get(spec.id) ?? {};
    const options = spec.options?.map((option, index) => ({ ...option, label: beside.get(spec.id)?.[index]?.text.trim() ?? option.label }));
    const rivals = spec.exclusive && panel.widgets.filter(one => one !== spec && one.exclusive === spec.exclusive).map(one => one.channels?.[0]).filter(Boolean);
    widget.setUp({ ...spec, label, options, rivals, spokenName: names.get(spec.id) }, connection);
    // In a list such a text is the control's own caption; where it is drawn, it stands where the source has it.
    widget.classList.toggle('borrowing', lent.has(spec.id));
    widget.classList.toggle('borrowing-choices', beside.has(spec.id));
    widget.classList.toggle('lending', lenders.has(spec.id));
    widget.classList.toggle('raised', raised.has(spec.id));
    if (raised.has(spec.id)) widget.style.setProperty('--level', raised.get(spec.id));
    widget.classList.toggle('wide', isWide(spec, label));
    const words = spec.kind === 'text' ? widget.textContent.trim() : undefined;
    // The page has the title already.
    widget.classList.toggle('empty', words === '' || words === panel.title.trim());
    widget.classList.toggle('short', words?.length < 3);
    place(widget, spec.bounds);
    paint(widget, spec);
    const content = groups.get(spec.group)?.content ?? canvas;
    const cell = cells.get(spec.id);
    if (cell) cell.put(widget, content);
    else content.append(widget);
    if (spec.kind === 'panel') grounds.add(widget, spec.bounds, spec.background);
    else if (!widget.matches('panel-text.opaque')) grounds.settle(widget, spec.bounds);
    if (panel.groups.some(group => group.above === spec.id)) draw(spec.id);
  }
  const shown = windows.filter(window => window.querySelector('.widget'));
  for (const window of shown) fit(window.querySelector('.canvas'));
  return shown.length > 0 ? shown : [element('p', { class: 'nothing' },
    'This piece has no controls: it names no channels, and has no panel of its own.')];
}

// Whether a widget takes a whole row of a list: a slider or a button with a long caption. A text that is as long is not a
// heading.
function isWide({ kind, text, isVertical }, label) {
  if (kind === 'text') return (text ?? '').length > 40;
  return !isVertical && kind !== 'knob' && (label ?? '').length > 14;
}

// Where the parts of matrices go, by widget. A matrix has an element of its own, which a list shows as a grid.
function matrixCells(panel) {
  const cells = new Map();
  for (const { cells: found, columns, hasSides } of matrices(panel)) {
    const box = element('div', { class: hasSides ? 'matrix with-sides' : 'matrix', role: 'group', 'aria-label': 'Matrix' });
    box.style.setProperty('--columns', columns);
    for (const { widget: { id }, column, row, role } of found) {
      cells.set(id, {
        put: (widget, content) => {
          if (!box.parentElement) content.append(box);
          widget.classList.add(role);
          widget.style.setProperty('--column', column);
          widget.style.setProperty('--row', row);
          box.append(widget);
        },
      });
    }
  }
  return cells;
}

// A canvas without a size of its own is as large as what is placed on it.
function fit(canvas) {
  const hasPlaces = canvas.querySelector('.placed') !== null;
  canvas.classList.toggle('has-places', hasPlaces);
  if (hasPlaces && !canvas.classList.contains('sized')) setSize(canvas, ...reach(canvas));
}

function tabs(group) {
  const list = element('div', { class: 'tabs', 'data-group': group.id, role: 'tablist', 'aria-label': group.label || undefined });
  const content = element('div', { class: 'content' });
  const box = element('section', { class: 'group tabbed' }, list, content);
  if (group.bounds) place(list, { ...group.bounds, height: 28 });
  const pages = [];
  const show = index => pages.forEach(({ tab, box }, other) => {
    tab.setAttribute('aria-selected', other === index);
    tab.tabIndex = other === index ? 0 : -1;
    box.hidden = other !== index;
    if (other === index) tab.dispatchEvent(new CustomEvent('shown', { bubbles: true }));
  });
  const add = (page, made) => {
    const index = pages.length;
    const onkeydown = event => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      const next = (index + step + pages.length) % pages.length;
      show(next);
      pages[next].tab.focus();
    };
    const tab = element('button', {
      type: 'button', role: 'tab', id: `tab-${page.id}`, 'aria-controls': `page-${page.id}`, onclick: () => show(index), onkeydown,
    }, page.label || `${index + 1}`);
    made.box.id = `page-${page.id}`;
    made.box.setAttribute('role', 'tabpanel');
    made.box.setAttribute('aria-labelledby', tab.id);
    pages.push({ tab, box: made.box });
    list.append(tab);
    content.append(made.box);
    show(0);
  };
  return { box, content, add };
}
