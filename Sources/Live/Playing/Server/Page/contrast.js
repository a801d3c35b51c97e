// Keeps texts on the piece's own colours readable: at least 4.5 to 1 against what is behind them, as WCAG 2 asks for. The
// colour of a text that is below changes as little as reaches it. Where no colour does, because the text lies across
// light and dark, it gets a background of its own.

const least = 4.55;

function parse(color) {
  const [red, green, blue, alpha = 1] = color.match(/[\d.]+(?:e-?\d+)?/g).map(Number);
  const unit = color.startsWith('color(') ? 255 : 1;
  return { parts: [red * unit, green * unit, blue * unit], alpha };
}

function luminance(parts) {
  return parts.reduce((sum, part, index) => {
    const value = part / 255;
    return sum + [0.2126, 0.7152, 0.0722][index] * (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
  }, 0);
}

function contrast(one, other) {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

function over({ parts, alpha }, below) { return parts.map((part, index) => part * alpha + below[index] * (1 - alpha)); }

function text(parts) { return `rgb(${parts.map(Math.round).join(' ')})`; }

// Black or white, whichever is easier to read on a colour `#rrggbb`: at least 4.58 to 1.
export function inkOn(color) {
  const parts = [1, 3, 5].map(place => parseInt(color.slice(place, place + 2), 16));
  return contrast([255, 255, 255], parts) >= contrast([0, 0, 0], parts) ? '#fff' : '#000';
}

// The colour nearest to `parts`, on the way to black or to white, that is readable on all grounds; undefined if none is.
function readable(parts, grounds) {
  const reaches = color => grounds.every(ground => contrast(color, ground) >= least);
  let best;
  for (const end of [[0, 0, 0], [255, 255, 255]]) {
    if (!reaches(end)) continue;
    let [low, high] = [0, 1];
    for (let round = 0; round < 12; round++) {
      const middle = (low + high) / 2;
      if (reaches(over({ parts: end, alpha: middle }, parts).map(Math.round))) high = middle;
      else low = middle;
    }
    if (!best || high < best.part) best = { part: high, color: over({ parts: end, alpha: high }, parts) };
  }
  return best?.color;
}

function ownText(element) {
  if (element.matches('select, input')) return element.getBoundingClientRect();
  const range = document.createRange();
  for (const node of element.childNodes) {
    if (node.nodeType !== Node.TEXT_NODE || !node.textContent.trim()) continue;
    range.selectNodeContents(node);
    return range.getBoundingClientRect();
  }
  return undefined;
}

function isRaised(element) { return element.closest('.raised') !== null; }

// Adjusts all texts that `place` shows. `isDrawn` is false if it shows the page's own colours only.
export function settle(place, isDrawn) {
  for (const element of place.querySelectorAll('.adjusted, .backed')) {
    element.classList.remove('adjusted', 'backed');
    for (const name of ['--adjusted', '--backing']) element.style.removeProperty(name);
  }
  if (!isDrawn) return;
  place.classList.add('settling');
  const page = parse(getComputedStyle(document.body).backgroundColor).parts;
  // Everything with a colour of its own, in the order in which it is drawn.
  const layers = [];
  const texts = [];
  for (const element of place.querySelectorAll('*')) {
    if (element.matches('svg *, option')) continue;
    const style = getComputedStyle(element);
    const background = parse(style.backgroundColor);
    background.alpha *= Number(style.opacity);
    if (background.alpha > 0) {
      const isFill = element.matches('.fill, .dot, .line, .thumb');
      // A fill may come to be anywhere on its track.
      const box = (isFill ? element.parentElement : element).getBoundingClientRect();
      if (box.width > 0 && box.height > 0) layers.push({ background, box, isFill, isRaised: isRaised(element) });
    }
    const box = ownText(element);
    if (box && box.width > 0 && box.height > 0) texts.push({ element, box, count: layers.length, color: style.color });
  }
  const flat = layers.filter(({ isRaised }) => !isRaised);
  // What is drawn before a text: all that is not raised lies below what is.
  const below = (element, count) => {
    const before = layers.slice(0, count);
    return isRaised(element) ? [...flat, ...before.filter(({ isRaised }) => isRaised)] : before;
  };
  const changes = [];
  for (const { element, box, count, color } of texts) {
    const grounds = [];
    for (const [across, down] of [[0.02, 0.5], [0.1, 0.5], [0.5, 0.2], [0.5, 0.5], [0.5, 0.8], [0.9, 0.5], [0.98, 0.5]]) {
      const [x, y] = [box.left + box.width * across, box.top + box.height * down];
      let [bare, filled] = [page, page];
      for (const layer of below(element, count)) {
        if (x < layer.box.left || x > layer.box.right || y < layer.box.top || y > layer.box.bottom) continue;
        if (!layer.isFill) bare = over(layer.background, bare);
        filled = over(layer.background, filled);
      }
      grounds.push(bare, filled);
    }
    const own = parse(color);
    if (grounds.every(ground => contrast(over(own, ground), ground) >= least)) continue;
    const middle = grounds[6];
    const adjusted = readable(own.parts, grounds);
    changes.push({ element, color: adjusted ?? readable(own.parts, [middle]), backing: adjusted ? undefined : middle });
  }
  place.classList.remove('settling');
  for (const { element, color, backing } of changes) {
    element.classList.add('adjusted');
    element.style.setProperty('--adjusted', text(color));
    if (!backing) continue;
    element.classList.add('backed');
    element.style.setProperty('--backing', text(backing));
  }
}
