// The name of each widget for screen readers, by identifier. No two are the same: if several widgets have the same
// caption, such as the drawbars of two manuals, the title of the group or the heading before the widget is added, or else
// the channels, or else a number.

// Names that the page itself uses.
const taken = ['Undo', 'Motion', 'Preset', 'Save', 'MIDI', 'As a list', 'Arrange', 'Console', 'Record', 'Panic', 'Pause'];
const silent = new Set(['text', 'panel']);
const choices = new Set(['menu', 'radio']);

export function spokenNames(panel, captions = new Map()) {
  const titles = new Map(panel.groups.map(group => [group.id, group.label]));
  const lent = new Set([...captions.values()].map(({ id }) => id));
  const candidates = new Map();
  let heading = '';
  for (const { id, kind, label, text, group, channels, options } of panel.widgets) {
    // A long text is no heading.
    if (kind === 'text' && !lent.has(id) && /\p{L}/u.test(text ?? '') && text.length <= 40) heading = text.trim().replace(/\s+/g, ' ');
    if (silent.has(kind)) continue;
    const own = channels?.filter(Boolean).join(', ');
    // What is written on a button; the options of a menu are choices.
    const written = choices.has(kind) ? '' : options?.find(option => option.label)?.label;
    const name = [label, captions.get(id)?.text, written, own, kind].map(text => text?.trim().replace(/\s+/g, ' ')).find(Boolean);
    const around = titles.get(group) || heading;
    candidates.set(id, [name, around && around !== name ? `${name}, ${around}` : '', own && own !== name ? `${name}, ${own}` : '',
      around && own ? `${name}, ${around}, ${own}` : ''].filter(Boolean));
  }
  const counts = new Map(taken.map(name => [name, 1]));
  for (const name of [...candidates.values()].flat()) counts.set(name, (counts.get(name) ?? 0) + 1);
  const used = new Set();
  const names = new Map();
  for (const [id, possible] of candidates) {
    let name = possible.find(one => counts.get(one) === 1 && !used.has(one));
    for (let number = 1; name === undefined || used.has(name); number++) name = `${possible[Math.min(1, possible.length - 1)]} ${number}`;
    used.add(name);
    names.set(id, name);
  }
  return names;
}
