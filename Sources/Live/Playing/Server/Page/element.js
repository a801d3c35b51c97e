// An element with attributes, functions that hear its events, and children.

export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (key === 'class') made.className = value;
    else if (typeof value === 'function') made[key] = value;
    else made.setAttribute(key, value === true ? '' : value);
  }
  made.append(...children);
  return made;
}
