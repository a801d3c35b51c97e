extension PageCheck {
  /// Runs in the page and returns the properties of a `PageCheck`. It shows every page of tabs.
  static let script = #"""
    (async () => {
      const isTouch = matchMedia('(pointer: coarse)').matches;
      const hiddenTabs = [...document.querySelectorAll('#panel [role=tab][aria-selected=false]')];
      const found = {
        texts: 0, controls: 0, faint: [], small: [], covered: [], cut: [], alike: [], wrong: [], unfocused: [],
        tabStops: 0, screens: document.documentElement.scrollHeight / innerHeight,
        sideways: Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth),
      };
      const add = (list, text) => { if (!found[list].includes(text)) found[list].push(text); };

      // Colours.
      const parse = color => {
        const [red, green, blue, alpha = 1] = color.match(/[\d.]+(?:e-?\d+)?/g).map(Number);
        const unit = color.startsWith('color(') ? 255 : 1;
        return { parts: [red, green, blue].map(part => part * unit), alpha };
      };
      const over = (top, below) => top.parts.map((part, index) => part * top.alpha + below[index] * (1 - top.alpha));
      const luminance = parts => parts.map(part => part / 255)
        .map(part => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
        .reduce((sum, part, index) => sum + part * [0.2126, 0.7152, 0.0722][index], 0);
      const contrast = (one, other) => {
        const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a);
        return (light + 0.05) / (dark + 0.05);
      };
      const opacity = element => {
        let product = 1;
        for (let one = element; one; one = one.parentElement) product *= Number(getComputedStyle(one).opacity);
        return product;
      };
      const canvas = matchMedia('(prefers-color-scheme: dark)').matches ? [18, 18, 18] : [255, 255, 255];
      // The lowest contrast of a text over three points of its box; undefined if it is not seen.
      const seen = (element, box) => {
        const text = parse(getComputedStyle(element).color);
        let lowest;
        for (const part of [0.1, 0.5, 0.9]) {
          const all = document.elementsFromPoint(box.left + box.width * part, box.top + box.height / 2);
          const first = all.findIndex(one => one === element || one.contains(element));
          if (first < 0 || all[first] !== element && !element.contains(all[first])) continue;
          const top = all.slice(0, first).filter(one => !element.contains(one) && parse(getComputedStyle(one).backgroundColor).alpha > 0.9);
          if (top.length > 0) continue;
          let parts = canvas;
          for (const one of all.slice(first).reverse()) {
            const color = parse(getComputedStyle(one).backgroundColor);
            parts = over({ parts: color.parts, alpha: color.alpha * Number(getComputedStyle(one).opacity) }, parts);
          }
          const value = contrast(over({ parts: text.parts, alpha: text.alpha * opacity(element) }, parts), parts);
          lowest = Math.min(lowest ?? 21, value);
        }
        return lowest;
      };
      const readTexts = () => {
        // Elements that let the pointer through are seen, too. The server allows no inline style sheets.
        const style = new CSSStyleSheet();
        style.replaceSync('* { pointer-events: auto !important; }');
        document.adoptedStyleSheets.push(style);
        const look = (element, text, box) => {
          const value = seen(element, box);
          if (value === undefined) return;
          found.texts += 1;
          if (value < 4.5) add('faint', `${text.trim().slice(0, 24)} ${value.toFixed(2)}`);
        };
        const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
        while (texts.nextNode()) {
          const node = texts.currentNode;
          const element = node.parentElement;
          if (!node.textContent.trim() || !element.checkVisibility() || element.closest('option, script, noscript')) continue;
          element.scrollIntoView({ block: 'center', inline: 'center' });
          const range = document.createRange();
          range.selectNodeContents(node);
          const box = range.getBoundingClientRect();
          if (box.width >= 1 && box.height >= 1) look(element, node.textContent, box);
        }
        for (const field of document.querySelectorAll('select, input[type=text]')) {
          if (!field.checkVisibility()) continue;
          field.scrollIntoView({ block: 'center', inline: 'center' });
          look(field, field.selectedOptions?.[0]?.textContent ?? (field.value || 'field'), field.getBoundingClientRect());
        }
        document.adoptedStyleSheets.pop();
      };

      // What can be used: natively, or by its role.
      const usable = 'button, select, input, summary, a[href], textarea, [role=slider], [role=spinbutton], [role=switch],'
        + ' [role=button], [role=tab], [role=radio], [role=checkbox]';
      const controls = () => [...document.querySelectorAll(usable)].filter(one => !one.closest('[aria-hidden=true]'));
      const nameOf = element => {
        const labels = element.getAttribute('aria-labelledby')?.split(' ').map(id => document.getElementById(id)?.textContent ?? '').join(' ');
        return (labels || element.getAttribute('aria-label') || [...element.labels ?? []].map(one => one.textContent).join(' ')
          || (element.matches('select, input') ? '' : element.textContent) || element.title || '').trim();
      };
      const described = element => `${element.closest('.widget')?.dataset.id ?? element.id ?? ''} ${nameOf(element)}`.trim().slice(0, 48);
      // What a finger has to hit: a label's box is its field's, and a pad is hit instead of its lines.
      const target = element => element.closest('label')
        ?? (element.matches('.thumb, .line, .bar') ? element.parentElement : element);
      const measureTargets = () => {
        for (const element of new Set(controls().map(target))) {
          if (!element.checkVisibility({ visibilityProperty: true }) || element.matches('input.typed')) continue;
          element.scrollIntoView({ block: 'center', inline: 'center' });
          const box = element.getBoundingClientRect();
          const isRead = element.disabled || element.matches('[aria-readonly=true]');
          if (isTouch && !isRead && (box.width < 39.5 || box.height < 39.5)) {
            add('small', `${described(element)} ${Math.round(box.width)}×${Math.round(box.height)}`);
          }
          // The upper part of a white key lies below black ones.
          const top = document.elementFromPoint(box.left + box.width / 2, box.top + box.height * (element.matches('.key.white') ? 0.85 : 0.5));
          found.controls += 1;
          const holder = element.closest('.widget');
          const isOwn = element.contains(top) || !element.matches('.key') && holder?.contains(top);
          if (box.width < 1 || box.height < 1 || !isOwn) add('covered', described(element));
        }
      };

      const measureNames = () => {
        for (const one of document.querySelectorAll('.name, h1, h2, button')) {
          const { overflowX, fontSize } = getComputedStyle(one);
          // The smallest letters are no reason to complain.
          if (!one.checkVisibility() || overflowX !== 'hidden' || parseFloat(fontSize) <= 8) continue;
          if (one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 2) add('cut', one.textContent.trim());
        }
      };

      const readAll = () => { readTexts(); measureTargets(); measureNames(); };
      readAll();
      for (const tab of hiddenTabs) { tab.click(); await new Promise(done => requestAnimationFrame(done)); readAll(); }

      // Names that several controls have, and the Tab key. axe-core knows of roles and of what has no name.
      const counts = new Map();
      for (const element of controls()) {
        const name = nameOf(element);
        // Within a group that has a name of its own, such as a keyboard, that name is said first.
        const group = element.matches('.key, input[type=radio], [role=radio]')
          ? element.closest('[role=group], [role=radiogroup]')?.getAttribute('aria-label') : '';
        const whole = `${name}, ${group ?? ''}`;
        counts.set(whole, (counts.get(whole) ?? 0) + 1);
      }
      for (const [name, count] of counts) if (count > 1) add('alike', `${name.replace(/, $/, '')} × ${count}`);
      // axe-core takes a value for granted.
      for (const one of document.querySelectorAll('[role=slider], [role=meter], [role=spinbutton]')) {
        if (Number.isNaN(parseFloat(one.getAttribute('aria-valuenow')))) add('wrong', `${described(one)} has no value`);
      }
      const radios = new Set();
      for (const element of document.querySelectorAll('*')) {
        if (element.tabIndex < 0 || element.disabled || !element.checkVisibility({ visibilityProperty: true })) continue;
        if (!element.matches('button, select, input, textarea, summary, a[href], [tabindex]')) continue;
        if (element.type === 'radio') {
          if (radios.has(element.name)) continue;
          radios.add(element.name);
        }
        found.tabStops += 1;
        element.focus({ preventScroll: true, focusVisible: true });
        const style = getComputedStyle(element);
        if (document.activeElement !== element || style.outlineStyle === 'none' || parseFloat(style.outlineWidth) * (element.currentCSSZoom ?? 1) < 1.9) add('unfocused', described(element));
      }
      document.activeElement?.blur();
      scrollTo(0, 0);
      return found;
    })()
    """#
}
