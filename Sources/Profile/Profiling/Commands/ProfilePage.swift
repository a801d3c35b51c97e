import CommandKit
import Foundation
import HarnessBase

extension Profile {
  /// A page that loads no other file: flame graph, the orchestra with its cost, load over time.
  var page: String {
    get throws(Failure) {
      let data = try ResultsText.of(self).replacing("<", with: "\\u003c")
      let title = (OrchestraAndScore.told(path) as NSString).lastPathComponent
        .replacing("&", with: "&amp;").replacing("<", with: "&lt;")
      return Self.page(title, data)
    }
  }

  private static func page(_ title: String, _ data: String) -> String {
    #"""
    <!doctype html>
    <html lang="en">
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>\#(title): where the time goes</title>
    <style>
    :root {
      color-scheme: light dark;
      --paper: #fbfaf7; --ink: #1d1d1b; --faint: #6d6a63; --rule: #d9d5cb; --heat: 214, 96, 36;
      --engine: #a9a498;
    }
    @media (prefers-color-scheme: dark) {
      :root {
        --paper: #191917; --ink: #e9e6df; --faint: #9c978c; --rule: #3a3833; --heat: 224, 122, 58;
        --engine: #6f6b62;
      }
    }
    body {
      font: 15px/1.45 system-ui, sans-serif; background: var(--paper); color: var(--ink);
      max-width: 1180px; margin: 2rem auto; padding: 0 1rem;
    }
    h1 { font-size: 1.5rem; margin: 0 0 .3rem; }
    h2 { font-size: 1.1rem; margin: 2.2rem 0 .5rem; border-top: 1px solid var(--rule); padding-top: 1rem; }
    p { margin: .3rem 0; } .faint { color: var(--faint); }
    code, pre, td.text, .flame text { font-family: ui-monospace, monospace; }
    svg { display: block; width: 100%; } svg text { fill: var(--ink); font-size: 12px; }
    .flame rect { stroke: var(--paper); stroke-width: 1; cursor: pointer; }
    .flame text { pointer-events: none; fill: #1d1d1b; font-size: 11px; }
    .axis { stroke: var(--rule); } .deadline { stroke: rgb(var(--heat)); stroke-dasharray: 5 4; }
    table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
    td, th { padding: .12rem .6rem; text-align: right; white-space: nowrap; font-size: 13px; }
    th { color: var(--faint); font-weight: 500; border-bottom: 1px solid var(--rule); }
    td.text, th.text { text-align: left; white-space: pre; width: 100%; }
    .orchestra { max-height: 44rem; overflow: auto; border: 1px solid var(--rule); }
    .orchestra td { padding-top: 0; padding-bottom: 0; line-height: 1.35; }
    #about { min-height: 1.5em; }
    .legend span { display: inline-block; margin-right: 1.2em; white-space: nowrap; }
    .legend i { display: inline-block; width: .8em; height: .8em; margin-right: .4em; }
    </style>
    <h1>\#(title)</h1>
    <div id="summary"></div>
    <h2>Flame graph</h2>
    <p class="faint">Width is <span class="measure">time</span>, own and called; from instrument to line and opcode, downwards. Click to
    go into a call, click the top to go back.</p>
    <div id="flame" class="flame"></div>
    <p id="about" class="faint"></p>
    <section id="over-time">
    <h2>Load over time</h2>
    <p class="faint">Rendering time over sounding time, mean of each stretch; the dots are its longest
    k-cycle. Above the dashed line a sound card waits.</p>
    <div id="load"></div>
    <p id="legend" class="legend"></p>
    </section>
    <h2>Instruments and user-defined opcodes</h2>
    <div id="instruments"></div>
    <h2>Opcodes</h2>
    <div id="opcodes"></div>
    <h2>The orchestra</h2>
    <div id="orchestra"></div>
    <script id="data" type="application/json">\#(data)</script>
    <script>
    "use strict";
    const profile = JSON.parse(document.getElementById("data").textContent);
    const svgSpace = "http://www.w3.org/2000/svg";
    const byId = id => document.getElementById(id);
    function make(name, attributes = {}, text) {
      const element = document.createElementNS(svgSpace, name);
      for (const key in attributes) element.setAttribute(key, attributes[key]);
      if (text !== undefined) element.textContent = text;
      return element;
    }
    function element(name, text, className) {
      const made = document.createElement(name);
      if (text !== undefined) made.textContent = text;
      if (className) made.className = className;
      return made;
    }
    // If instructions were counted, the fields called seconds hold instructions.
    const counts = profile.instructions !== undefined;
    if (counts) {
      document.querySelector(".measure").textContent = "instructions";
      byId("over-time").remove();
    }
    const time = seconds => counts ? seconds.toLocaleString("en") : seconds >= 1 ? seconds.toFixed(2) + " s"
      : seconds >= 1e-3 ? (seconds * 1e3).toFixed(2) + " ms" : (seconds * 1e6).toFixed(1) + " µs";
    const colours = ["#e8a33d", "#6fa8a0", "#c97b5a", "#8f9fc4", "#b7b25a", "#b98bb0", "#7fa86b",
      "#d3937f", "#77a3c9", "#c2a36b"];
    const instruments = profile.instruments.map(row => row.name);
    const colour = name => name === "Csound itself" ? "var(--engine)"
      : colours[Math.max(0, instruments.indexOf(name)) % colours.length];
    const fileName = index => index < 0 ? "compiled in performance" : profile.files[index].path.split("/").pop();

    // ---- Summary
    const whole = profile.lines.reduce((sum, row) => sum + row.seconds + row.initSeconds,
      profile.engine.events + profile.engine.notes + profile.engine.output);
    const deadline = profile.ksmps / profile.sampleRate;
    const load = profile.load, tracing = profile.tracing;
    for (const text of counts ? [
      `${profile.soundSeconds.toFixed(2)} s of sound at ${profile.sampleRate} Hz, ksmps ${profile.ksmps}.`,
      `${load.cycles} k-cycles of ${time(profile.instructions)} instructions, ` +
        `${(profile.accounted * 100).toFixed(1)} % accounted for.`,
      ...profile.noteErrors,
    ] : [
      `${profile.soundSeconds.toFixed(2)} s of sound at ${profile.sampleRate} Hz, ksmps ${profile.ksmps}, ` +
        `rendered in ${time(load.seconds)}: ${(profile.soundSeconds / load.seconds).toFixed(1)} × real time.`,
      `The longest of ${load.cycles} k-cycles took ${time(load.worst)}, ` +
        `${(load.worst / deadline * 100).toFixed(0)} % of its ${time(deadline)}; ` +
        (load.lateCycles === 0 ? "none was late."
          : `${load.lateCycles} were late, hidden by a buffer of ${time(load.largestBacklog)}.`),
      `Tracing ${(tracing.timedShare * 100).toFixed(1)} % of the k-cycles cost ` +
        `${(tracing.overhead * 100).toFixed(1)} %; ` +
        `${(profile.accounted * 100).toFixed(1)} % of the time is accounted for.`,
      ...profile.noteErrors,
    ]) byId("summary").append(element("p", text));

    // ---- Flame graph
    const root = { name: "everything", seconds: 0, children: [] };
    const nodes = [];
    const bodies = new Map();
    function body(name) {
      if (!bodies.has(name)) {
        const node = { name, instrument: name, seconds: 0, children: [] };
        bodies.set(name, node);
        root.children.push(node);
      }
      return bodies.get(name);
    }
    profile.calls.forEach((call, index) => {
      const parent = call.caller === undefined ? body(call.body) : nodes[call.caller];
      const name = `${call.line} ${call.opcode}`;
      let node = parent.children.find(other => other.name === name && other.file === call.file);
      if (!node) {
        node = { name, file: call.file, line: call.line, body: call.body, children: [], own: 0, init: 0,
          passes: 0, instrument: parent.instrument };
        parent.children.push(node);
      }
      node.own += call.seconds;
      node.init += call.initSeconds;
      node.passes += call.passes;
      nodes[index] = node;
    });
    const engine = body("Csound itself");
    engine.children = counts ? [] : [["events and notes", profile.engine.events],
      ["between notes", profile.engine.notes], ["output", profile.engine.output]]
      .map(([name, own]) => ({ name, own, init: 0, children: [], instrument: "Csound itself" }));
    if (counts) engine.own = profile.engine.notes;
    function sum(node) {
      node.seconds = (node.own || 0) + (node.init || 0);
      for (const child of node.children) {
        child.parent = node;
        node.seconds += sum(child);
      }
      node.children.sort((a, b) => b.seconds - a.seconds);
      return node.seconds;
    }
    sum(root);
    function depth(node) {
      return 1 + node.children.reduce((deepest, child) => Math.max(deepest, depth(child)), 0);
    }
    function describe(node) {
      const share = `${(node.seconds / root.seconds * 100).toFixed(1)} %, ${time(node.seconds)}`;
      if (node.line === undefined) return `${node.name}: ${share}`;
      const text = node.file < 0 ? "" : (profile.files[node.file].lines[node.line - 1] || "").trim();
      const init = node.init > 0 ? `, init ${time(node.init)}` : "";
      return `${node.body}, ${fileName(node.file)}:${node.name}: ${share}, own ${time(node.own)}${init}, ` +
        `${node.passes} passes — ${text}`;
    }
    function drawFlame(top) {
      const width = 1180, height = 20;
      const above = [];
      for (let node = top; node; node = node.parent) above.unshift(node);
      const rows = above.length - 1 + depth(top);
      const svg = make("svg", { viewBox: `0 0 ${width} ${rows * height}` });
      function draw(node, x, w, row) {
        const rect = make("rect", { x, y: row * height, width: Math.max(w, .3), height: height - 1,
          fill: node === root ? "var(--rule)" : colour(node.instrument),
          "fill-opacity": node === root ? 1 : 1 - .07 * ((row * 3) % 5) });
        rect.append(make("title", {}, describe(node)));
        rect.addEventListener("click", () => drawFlame(node));
        rect.addEventListener("mouseover", () => byId("about").textContent = describe(node));
        svg.append(rect);
        if (w > 40) {
          const label = make("text", { x: x + 4, y: row * height + 14 },
            node.name.slice(0, Math.floor((w - 8) / 6.7)));
          if (node === root) label.setAttribute("style", "fill: var(--ink)");
          svg.append(label);
        }
      }
      above.forEach((node, row) => draw(node, 0, width, row));
      function below(node, x, w, row) {
        for (const child of node.children) {
          const part = node.seconds > 0 ? w * child.seconds / node.seconds : 0;
          if (part > .2) {
            draw(child, x, part, row);
            below(child, x, part, row + 1);
          }
          x += part;
        }
      }
      below(top, 0, width, above.length);
      byId("flame").replaceChildren(svg);
    }
    drawFlame(root);

    // ---- Load over time
    if (!counts) (function () {
      const width = 1180, height = 260, left = 46, bottom = 24, right = 8;
      const stretches = load.stretches;
      const perPoint = Math.max(1, Math.ceil(stretches.length / 590));
      const points = [];
      // A stretch without a traced k-cycle takes the proportions of the stretch before.
      let shares = profile.instrumentLoads.map(() => 0);
      for (let start = 0; start < stretches.length; start += perPoint) {
        const part = stretches.slice(start, start + perPoint);
        const cycles = part.reduce((sum, one) => sum + one.cycles, 0);
        const parts = profile.instrumentLoads.map(one => one.seconds
          .slice(start, start + perPoint).reduce((sum, seconds) => sum + seconds, 0));
        const known = parts.reduce((sum, seconds) => sum + seconds, 0);
        const seconds = part.reduce((sum, one) => sum + one.seconds, 0);
        if (known > 0) shares = parts.map(one => one / Math.max(known, seconds));
        // Heights come from the untraced render, proportions from the traced one.
        points.push({
          at: start * load.cyclesPerStretch * deadline,
          mean: seconds / cycles / deadline,
          worst: Math.max(...part.map(one => one.worst)) / deadline,
          notes: Math.max(...part.map(one => one.mostNotes)),
          parts: shares.map(share => share * seconds / cycles / deadline),
        });
      }
      const sorted = points.map(point => point.worst).sort((a, b) => a - b);
      const usual = sorted[Math.floor(sorted.length * .95)] || 0;
      const most = Math.max(usual, ...points.map(point => point.mean)) * 1.15 || 1;
      const end = profile.soundSeconds || 1;
      const x = seconds => left + seconds / end * (width - left - right);
      const y = part => height - bottom - Math.min(part / most, 1) * (height - bottom - 8);
      const svg = make("svg", { viewBox: `0 0 ${width} ${height}` });
      const step = 10 ** Math.floor(Math.log10(most));
      const tick = most / step < 2 ? step / 4 : most / step < 5 ? step / 2 : step;
      for (let level = 0; level <= most; level += tick) {
        svg.append(make("line", { x1: left, x2: width - right, y1: y(level), y2: y(level), class: "axis" }));
        svg.append(make("text", { x: left - 6, y: y(level) + 4, "text-anchor": "end" },
          (level * 100).toFixed(most < .05 ? 1 : 0) + " %"));
      }
      for (let index = 0; index <= 8; index++)
        svg.append(make("text", { x: x(end * index / 8), y: height - 6,
          "text-anchor": index === 8 ? "end" : index === 0 ? "start" : "middle" },
          (end * index / 8).toFixed(end < 20 ? 1 : 0) + " s"));
      const base = points.map(() => 0);
      profile.instrumentLoads.forEach((one, number) => {
        const upper = points.map((point, index) => base[index] + point.parts[number]);
        const outline = [
          ...points.map((point, index) => `${x(point.at)},${y(upper[index])}`),
          ...points.map((point, index) => `${x(point.at)},${y(base[index])}`).reverse()];
        const area = make("polygon", { points: outline.join(" "), fill: colour(one.name) });
        area.append(make("title", {}, one.name));
        svg.append(area);
        upper.forEach((value, index) => base[index] = value);
      });
      svg.append(make("polyline", { fill: "none", stroke: "var(--ink)", "stroke-width": 1,
        points: points.map(point => `${x(point.at)},${y(point.mean)}`).join(" ") }));
      for (const point of points)
        svg.append(make("circle", { cx: x(point.at), cy: y(point.worst), r: 1.2, fill: "var(--faint)" }));
      if (most > 1)
        svg.append(make("line", { x1: left, x2: width - right, y1: y(1), y2: y(1), class: "deadline" }));
      byId("load").append(svg);
      const names = profile.instrumentLoads.map(one => one.name);
      for (const name of names) {
        const entry = element("span", name);
        const mark = element("i");
        mark.style.background = colour(name);
        entry.prepend(mark);
        byId("legend").append(entry);
      }
      const notes = Math.max(0, ...points.map(point => point.notes));
      byId("legend").append(element("span", `line: everything; at most ${notes} notes at a time`));
    })();

    // ---- Tables
    const percent = seconds => (seconds / whole * 100).toFixed(1);
    function table(columns, rows) {
      const made = element("table");
      const head = made.createTHead().insertRow();
      for (const [name, , isText] of columns) head.append(element("th", name, isText ? "text" : ""));
      const lines = made.createTBody();
      for (const row of rows) {
        const line = lines.insertRow();
        for (const [, value, isText] of columns) line.append(element("td", value(row), isText ? "text" : ""));
      }
      return made;
    }
    const own = row => row.seconds + row.initSeconds;
    const unit = counts ? 1 : 1e9;
    const each = (seconds, count) => count > 0 ? (seconds / count * unit).toFixed(1) : "";
    const unitName = counts ? "instructions" : "ns";
    const columns = all => all.filter(([name]) => !counts || !/worst|of its time/.test(name));
    byId("instruments").append(table(columns([
      ["total %", row => percent(row.total)], ["total", row => time(row.total)],
      ["own", row => time(own(row))], ["init", row => time(row.initSeconds)],
      ["notes", row => row.notes ?? ""], ["at a time", row => row.mostNotes ?? ""],
      ["worst k-cycle", row => time(row.worst)],
      ["of its time", row => (row.worst / deadline * 100).toFixed(0) + " %"],
      ["name", row => row.name, true]]), profile.instruments));
    byId("opcodes").append(table(columns([
      ["own %", row => percent(own(row))], ["own", row => time(own(row))],
      ["total", row => time(row.total)], ["passes", row => row.passes],
      [`${unitName}/pass`, row => each(row.seconds, row.passes)],
      [`${unitName}/sample`, row => each(row.seconds, row.samples)],
      ["worst", row => time(row.worst)], ["inits", row => row.inits],
      ["init", row => time(row.initSeconds)], ["opcode", row => row.name, true]]), profile.opcodes));
    profile.files.forEach(file => {
      const rows = new Map(profile.lines.filter(row => row.file === file.path).map(row => [row.line, row]));
      if (profile.files.length > 1) byId("orchestra").append(element("h3", file.path));
      const made = table([
        ["own %", line => line.row ? percent(own(line.row)) : ""],
        ["total", line => line.row ? time(line.row.total) : ""],
        ["passes", line => line.row && line.row.passes ? line.row.passes : ""],
        ["line", line => line.number], ["", line => line.text, true],
      ], file.lines.map((text, index) => ({ text, number: index + 1, row: rows.get(index + 1) })));
      const most = Math.max(...profile.lines.map(own));
      file.lines.forEach((_, index) => {
        const row = rows.get(index + 1);
        if (row) made.tBodies[0].rows[index].style.background =
          `rgba(var(--heat), ${(.5 * Math.sqrt(own(row) / most)).toFixed(3)})`;
      });
      const box = element("div", undefined, "orchestra");
      box.append(made);
      byId("orchestra").append(box);
    });
    </script>
    </html>

    """#
  }
}
