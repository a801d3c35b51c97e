// Groups of controls that the Tab key reaches as one. Within a group, arrow keys go from one control to the next: for
// sliders, knobs and numbers those keys that do not move the value, for switches and buttons all four.

const mostStops = 40;

// Whether Left and Right are free to go to the next control, because the value moves upwards.
function isUpright(control) {
  return control.matches('.dial, .box, .bar, .line.y, [aria-orientation=vertical], .vertical .thumb');
}

export class Roving {
  #place;
  #group = new Map();

  constructor(place) {
    this.#place = place;
    place.addEventListener('keydown', event => this.#key(event), true);
    place.addEventListener('focusin', event => this.#enter(event.target));
  }

  // Makes groups where they are needed: of each matrix and surface, and of neighbours if the page has too many stops.
  settle() {
    for (const control of this.#group.keys()) control.tabIndex = 0;
    this.#group.clear();
    for (const many of this.#place.querySelectorAll('.matrix, .bars')) {
      this.#make([...many.querySelectorAll('button, .bar')]);
    }
    const stops = () => [...document.querySelectorAll('button, select, input, summary, [tabindex="0"]')].filter(one =>
      one.closest('header') || one.tabIndex >= 0 && !one.disabled && one.checkVisibility({ visibilityProperty: true }));
    const all = stops();
    const radios = all.filter(one => one.type === 'radio');
    let excess = all.length - radios.length + new Set(radios.map(one => one.name)).size - mostStops;
    if (excess <= 0) return;
    // Neighbours: controls of one parent with no heading between them.
    const runs = [];
    for (const control of all) {
      const widget = control.closest('.widget');
      if (!widget || !this.#place.contains(widget) || this.#group.has(control)) continue;
      if (control.matches('input, .key, pre, [role=log]')) continue;
      const last = runs.at(-1);
      if (last && last.parent === widget.parentElement && !isParted(last.widget, widget)) last.controls.push(control);
      else runs.push({ parent: widget.parentElement, controls: [control] });
      runs.at(-1).widget = widget;
    }
    excess -= runs.reduce((sum, { controls }) => sum + controls.length - 1, 0);
    // Still too many: the shortest neighbouring runs are joined.
    for (; excess > 0 && runs.length > 1; excess--) {
      let best = 0;
      for (let index = 1; index < runs.length - 1; index++) {
        const length = at => runs[at].controls.length + runs[at + 1].controls.length;
        if (length(index) < length(best)) best = index;
      }
      runs[best].controls.push(...runs.splice(best + 1, 1)[0].controls);
    }
    // Stops to spare: long runs are cut in half, so that none is a long way through.
    for (; excess < 0; excess++) {
      const longest = runs.reduce((best, run) => run.controls.length > best.controls.length ? run : best, { controls: [] });
      if (longest.controls.length <= 8) break;
      runs.push({ controls: longest.controls.splice(longest.controls.length >> 1) });
    }
    for (const { controls } of runs) this.#make(controls);
  }

  #make(controls) {
    if (controls.length < 2) return;
    for (const control of controls) {
      this.#group.set(control, controls);
      control.tabIndex = control === controls[0] ? 0 : -1;
    }
  }

  // The control that was used last is the one that Tab comes back to.
  #enter(target) {
    const controls = this.#group.get(target);
    if (!controls) return;
    for (const control of controls) control.tabIndex = control === target ? 0 : -1;
  }

  #key(event) {
    const controls = this.#group.get(event.target);
    if (!controls || event.ctrlKey || event.altKey || event.metaKey || this.#place.classList.contains('arranging')) return;
    const [right, down] = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] }[event.key] ?? [0, 0];
    if (right === 0 && down === 0) return;
    const isButton = event.target.matches('button');
    if (!isButton && (isUpright(event.target) || event.target.matches('select') ? down !== 0 : right !== 0)) return;
    const next = this.#inMatrix(controls, event.target, right, down) ?? controls[controls.indexOf(event.target) + right + down];
    event.preventDefault();
    event.stopPropagation();
    next?.focus();
  }

  #inMatrix(controls, target, right, down) {
    const place = control => ['--column', '--row'].map(name => Number(control.closest('.widget').style.getPropertyValue(name)));
    const [column, row] = place(target);
    if (!column) return undefined;
    return controls.find(one => {
      const [otherColumn, otherRow] = place(one);
      return otherColumn === column + right && otherRow === row + down;
    }) ?? target;
  }
}

// Whether a heading or a rectangle lies between two widgets of one parent.
function isParted(one, other) {
  for (let between = one.nextElementSibling; between && between !== other; between = between.nextElementSibling) {
    if (between.matches('panel-text, panel-backdrop')) return true;
  }
  return false;
}
