// The name of each widget for screen readers, by identifier. If several widgets have the same caption, such as the
// drawbars of two manuals, the title of the group or the heading before the widget is added, or else the channels.

export function spokenNames(panel) {
  const titles = new Map(panel.groups.map(group => [group.id, group.label]));
  const names = new Map();
  let heading = '';
  for (const { id, kind, label, text, group, channels } of panel.widgets) {
    if (kind === 'text') heading = text ?? '';
    else if (label) names.set(id, [label, `${label}, ${titles.get(group) || heading}`, `${label}, ${channels?.join(', ')}`]);
  }
  const counts = new Map();
  for (const name of [...names.values()].flat()) counts.set(name, (counts.get(name) ?? 0) + 1);
  return new Map([...names].map(([id, candidates]) =>
    [id, candidates.find(name => counts.get(name) === 1) ?? candidates[0]]));
}
