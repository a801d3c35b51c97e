// What belongs together on a drawn panel, by where it lies: the texts that name controls, and matrices of switches.

const named = new Set(['slider', 'knob', 'number', 'range', 'pad', 'menu', 'radio', 'field', 'file', 'label', 'meter', 'table', 'surface']);
const pins = new Set(['switch', 'button', 'momentary', 'event']);

function box(widget) {
  const { x, y, width, height } = widget.bounds;
  return { left: x, top: y, right: x + width, bottom: y + height, x: x + width / 2, y: y + height / 2, width, height };
}

function sharesGround(one, other) { return (one.group ?? '') === (other.group ?? ''); }

// How far a text is from a control that it may name: below, above, or at the left of it. Infinity if it cannot.
function distance(text, control) {
  if (text.height > 48) return Infinity;
  const isColumn = text.width <= 2.5 * control.width + 20
    && (Math.abs(text.x - control.x) <= Math.max(control.width, 40) / 4 || Math.abs(text.left - control.left) <= 12);
  if (isColumn && text.y > control.y && text.top - control.bottom <= 12) return Math.max(0, text.top - control.bottom);
  if (isColumn && text.y < control.y && control.top - text.bottom <= 8) return 1 + Math.max(0, control.top - text.bottom);
  const isRow = Math.abs(text.y - control.y) <= Math.max(10, Math.min(text.height, control.height) / 2);
  if (isRow && text.x < control.left && control.left - text.right <= 24) return 2 + Math.max(0, control.left - text.right);
  return Infinity;
}

function isText({ kind, bounds, text }, pattern) { return kind === 'text' && bounds && pattern.test(text ?? '') && text.length < 40; }

// For each control without a name of its own, the text that names it, by the control's identifier.
export function captions(panel) {
  const texts = panel.widgets.filter(widget => isText(widget, /\p{L}/u));
  const controls = panel.widgets.filter(({ kind, bounds, label }) => named.has(kind) && bounds && !label);
  const pairs = [];
  for (const control of controls) {
    for (const text of texts) {
      if (!sharesGround(control, text)) continue;
      const far = distance(box(text), box(control));
      if (far < Infinity) pairs.push({ far, control, text });
    }
  }
  const found = new Map();
  const taken = new Set();
  for (const { control, text } of pairs.sort((a, b) => a.far - b.far)) {
    if (found.has(control.id) || taken.has(text.id)) continue;
    found.set(control.id, text);
    taken.add(text.id);
  }
  return found;
}

// For each column of radio buttons that has only numbers, the texts at the right of its buttons, by the widget's
// identifier; only if nearly all buttons have one.
export function choiceTexts(panel) {
  const texts = panel.widgets.filter(widget => isText(widget, /\S/));
  const found = new Map();
  for (const radio of panel.widgets) {
    const { kind, bounds, columns, options = [] } = radio;
    if (kind !== 'radio' || !bounds || columns !== 1 || options.length < 2 || !options.every(({ label }) => /^\d*$/.test(label))) continue;
    const { top, right, height } = box(radio);
    const row = height / options.length;
    const beside = options.map((_, index) => texts.find(text => {
      const place = box(text);
      return sharesGround(text, radio) && Math.abs(place.y - (top + (index + 0.5) * row)) < row / 2
        && place.left >= right - 8 && place.left <= right + 24;
    }));
    if (beside.filter(Boolean).length >= 0.9 * options.length) found.set(radio.id, beside);
  }
  return found;
}

// Controls that a later text, rectangle, box or larger control would cover at their centre, by identifier: how far they
// are raised above the others, the smallest furthest.
export function covered(panel) {
  const placed = panel.widgets.filter(({ bounds }) => bounds).map(widget => ({ widget, ...box(widget) }));
  const last = new Map(placed.map(({ widget }, index) => [widget.id, index]));
  const boxes = panel.groups.filter(({ kind, bounds, above }) => kind === 'box' && bounds && last.has(above))
    .map(group => ({ ...box(group), id: group.id, index: last.get(group.above) }));
  const holds = ({ left, right, top, bottom }, { x, y }) => x >= left && x <= right && y >= top && y <= bottom;
  const found = placed.filter((one, index) => !isDecoration(one.widget)
    && (placed.slice(index + 1).some(other => holds(other, one)
      && (isDecoration(other.widget) || other.width * other.height > one.width * one.height))
      || boxes.some(other => other.index >= index && other.id !== one.widget.group && holds(other, one))));
  found.sort((one, other) => other.width * other.height - one.width * one.height);
  return new Map(found.map(({ widget }, index) => [widget.id, index + 1]));
}

function isDecoration({ kind }) { return kind === 'text' || kind === 'panel'; }

// The distinct values of numbers, where those that are less than `least` apart are the same.
function steps(values, least) {
  const found = [];
  for (const value of [...values].sort((a, b) => a - b)) {
    if (found.length === 0 || value - found.at(-1) > least) found.push(value);
  }
  return found;
}

function nearest(values, value) {
  return values.reduce((best, one, index) => Math.abs(one - value) < Math.abs(values[best] - value) ? index : best, 0);
}

// Matrices: at least three rows and three columns of switches or buttons of one size, with few gaps. Each has its cells
// as widget, column and row, both from 1, and how many columns and rows there are; the texts beside and above the
// switches are cells too.
export function matrices(panel) {
  const found = [];
  const sets = new Map();
  for (const widget of panel.widgets) {
    if (!pins.has(widget.kind) || !widget.bounds) continue;
    const { width, height } = widget.bounds;
    const key = [widget.group ?? '', widget.kind, Math.round(width), Math.round(height)].join('|');
    sets.set(key, [...sets.get(key) ?? [], widget]);
  }
  for (const set of sets.values()) {
    const boxes = set.map(box);
    const { width, height } = boxes[0];
    const columns = steps(boxes.map(({ x }) => x), width / 2);
    const rows = steps(boxes.map(({ y }) => y), height / 2);
    if (columns.length < 3 || rows.length < 3 || set.length < 0.7 * columns.length * rows.length) continue;
    const [across, down] = [columns, rows].map(values => (values.at(-1) - values[0]) / (values.length - 1));
    // Far apart, they are no matrix but several rows of switches.
    if (across > 3 * width || down > 3 * height) continue;
    const texts = panel.widgets.filter(widget => widget.kind === 'text' && widget.bounds && widget.text && sharesGround(widget, set[0]));
    const lines = [];
    const headings = [];
    const sides = [];
    for (const text of texts) {
      const place = box(text);
      const [column, row] = [nearest(columns, place.x), nearest(rows, place.y)];
      const isAbove = place.bottom <= rows[0] - height / 2 + 2 && place.bottom >= rows[0] - height / 2 - 3 * down;
      if (isAbove && Math.abs(columns[column] - place.x) < across / 2 && place.width < 1.5 * across) {
        lines.push(place.y);
        headings.push({ text, column, y: place.y });
      } else if (place.right <= columns[0] - width / 2 + 2 && place.right >= columns[0] - width / 2 - 2 * across
        && Math.abs(rows[row] - place.y) < down / 2) sides.push({ text, row });
    }
    const above = steps(lines, 4);
    const beside = sides.length > 0 ? 1 : 0;
    found.push({
      cells: [
        ...headings.map(({ text, column, y }) => ({ widget: text, column: column + 1 + beside, row: nearest(above, y) + 1, role: 'heading' })),
        ...sides.map(({ text, row }) => ({ widget: text, column: 1, row: row + 1 + above.length, role: 'side' })),
        ...set.map((widget, index) => ({
          widget, column: nearest(columns, boxes[index].x) + 1 + beside, row: nearest(rows, boxes[index].y) + 1 + above.length, role: 'pin',
        })),
      ],
      columns: columns.length, rows: rows.length, hasSides: beside === 1,
    });
  }
  return found;
}
