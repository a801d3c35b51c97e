// The page: a list of opcodes, and for the chosen one its inputs, its outputs and what it says.

const element = (name, properties = {}, ...children) => {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
};
const byId = (id) => document.getElementById(id);

/** The bytes of a part of the page, which is compressed and in base64. */
async function part(id) {
  const bytes = Uint8Array.from(atob(byId(id).textContent.trim()), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

const library = JSON.parse(new TextDecoder().decode(await part("library")));
const signals = {
  plucks: "Plucked notes", sawtooth: "Sawtooth, 110 Hz", sine: "Sine, 330 Hz", noise: "Noise", pulses: "Pulses",
  silence: "Silence", file: "Your own sound",
};
let sound, node, analyser, chosen, values, isPlaying = false;

// ---- Playing

/** Makes the audio thread at the first sound, as browsers want a click before it. */
async function start() {
  if (node) return sound.resume();
  sound = new AudioContext();
  // In a page that is a file, Chromium refuses a blob.
  await sound.audioWorklet.addModule(`data:text/javascript,${encodeURIComponent(byId("audio").textContent)}`);
  const [engine, plugin] = [await part("engine"), await part("plugin")];
  const tables = library.tables.map(({ number, elements }) => ({ number, elements: Float64Array.from(elements) }));
  node = new AudioWorkletNode(sound, "opcode", {
    numberOfInputs: 0, outputChannelCount: [2], processorOptions: { engine, plugin, tables },
  });
  node.onprocessorerror = () => say("The audio thread has ended; load the page again.");
  node.port.onmessage = ({ data }) => {
    if (data.said) say(data.said);
    if (data.values) showValues(data);
  };
  analyser = new AnalyserNode(sound, { fftSize: 4096, smoothingTimeConstant: 0.6 });
  node.connect(analyser).connect(sound.destination);
  draw();
  await sound.resume();
}

function say(words) {
  byId("said").textContent = (byId("said").textContent + words).split("\n").filter(Boolean).slice(-4).join("\n");
}

const send = (message) => node?.port.postMessage(message);

function ways() {
  const audible = chosen.results.map(({ rate }, index) => (rate === "a" ? index : -1)).filter((index) => index >= 0);
  const left = Number(byId("heard")?.value ?? audible[0]);
  send({
    ways: {
      left, right: audible.length === 2 && !byId("heard") ? audible[1] : left, bypassed: byId("dry")?.checked ?? false,
      volume: isPlaying ? Number(byId("volume").value) : 0,
    },
  });
}

function begin() {
  if (!isPlaying) return;
  const { overload, outputs, inputs, outputRates, rates } = chosen;
  byId("said").textContent = "";
  send({ opcode: { overload, outputs, inputs, outputRates, rates }, inputs: values });
  ways();
}

function show(plays) {
  isPlaying = plays;
  const button = byId("play");
  button.textContent = plays ? "Stop" : "Play";
  button.setAttribute("aria-pressed", plays);
  if (chosen) ways();
}

async function toggle() {
  if (!isPlaying) await start();
  show(!isPlaying);
  if (isPlaying) begin();
}

// ---- The spectrum

function draw() {
  const canvas = byId("spectrum"), context = canvas.getContext("2d");
  const levels = new Float32Array(analyser.frequencyBinCount);
  const style = getComputedStyle(document.documentElement);
  const paint = () => {
    requestAnimationFrame(paint);
    const [width, height] = [canvas.width = canvas.clientWidth, canvas.height = canvas.clientHeight];
    const place = (hertz) => (Math.log2(hertz / 20) / Math.log2(sound.sampleRate / 40)) * width;
    context.font = "12px sans-serif";
    context.fillStyle = style.getPropertyValue("--faint");
    context.strokeStyle = style.getPropertyValue("--rule");
    for (const [hertz, name] of [[100, "100 Hz"], [1000, "1 kHz"], [10000, "10 kHz"]]) {
      context.beginPath();
      context.moveTo(place(hertz), 0);
      context.lineTo(place(hertz), height);
      context.stroke();
      const isAtEdge = place(hertz) > width - 50;
      context.textAlign = isAtEdge ? "right" : "left";
      context.fillText(name, place(hertz) + (isAtEdge ? -4 : 4), 13);
    }
    analyser.getFloatFrequencyData(levels);
    context.strokeStyle = style.getPropertyValue("--curve-1");
    context.lineWidth = 1.5;
    context.beginPath();
    for (let index = 2; index < levels.length; index++) {
      const hertz = (index * sound.sampleRate) / analyser.fftSize;
      // From -110 dB at the bottom to -10 dB at the top.
      context.lineTo(place(hertz), height * Math.min(1, Math.max(0, (-10 - levels[index]) / 100)));
    }
    context.stroke();
  };
  paint();
}

function showValues({ values: all, gain }) {
  const down = -20 * Math.log10(gain);
  byId("down").textContent = down < 0.5 ? "" : `Turned down by ${down.toFixed(0)} dB.`;
  chosen.results.forEach(({ rate }, index) => {
    const cell = byId(`result${index}`);
    if (cell && rate !== "a" && Number.isFinite(all[index])) cell.textContent = all[index].toPrecision(5);
  });
}

// ---- An input

/** A control's number from 0 to 1, such that the ordinary value of a wide range is not at its edge. */
function scale({ low, high, value }) {
  const middle = (value - low) / (high - low);
  const power = middle > 0 && middle < 0.4 ? Math.min(6, Math.log(middle) / Math.log(0.4)) : 1;
  return {
    number: (place) => low + (high - low) * place ** power,
    place: (number) => ((number - low) / (high - low)) ** (1 / power),
  };
}

const short = (number) => String(Number(number.toPrecision(4)));

function change(index, value) {
  values[index] = value;
  // Csound reads an i-rate argument when a note begins.
  if (chosen.rates[index] === "i") begin();
  else send({ set: [index, value] });
}

function signal(argument, index, id) {
  const choice = element("select", { id, onchange: () => {
    if (choice.value === "file") file.click();
    else change(index, choice.value);
  } }, ...Object.entries(signals).map(([value, name]) => element("option", { value, textContent: name })));
  const file = element("input", { type: "file", accept: "audio/*", hidden: true, ariaLabel: "Sound file" });
  file.onchange = async () => {
    try {
      await start();
      const read = await sound.decodeAudioData(await file.files[0].arrayBuffer());
      const mixed = new Float32Array(read.length);
      for (let channel = 0; channel < read.numberOfChannels; channel++) {
        read.getChannelData(channel).forEach((sample, frame) => (mixed[frame] += sample / read.numberOfChannels));
      }
      send({ sound: mixed });
      change(index, "file");
    } catch (error) {
      choice.value = values[index];
      say(`'${file.files[0].name}' cannot be read: ${error.message}\n`);
    }
  };
  file.oncancel = () => (choice.value = values[index]);
  choice.value = values[index];
  return [choice, file];
}

function slider(argument, index, id) {
  const { number, place } = scale(argument);
  const step = argument.isWhole ? 1 / (argument.high - argument.low) : 0.005;
  const shown = element("output", { textContent: short(values[index]) });
  shown.htmlFor = id;
  const input = element("input", { id, type: "range", min: 0, max: 1, step, value: place(values[index]) });
  input.oninput = () => {
    const value = argument.isWhole ? Math.round(number(Number(input.value))) : number(Number(input.value));
    shown.textContent = short(value);
    input.setAttribute("aria-valuetext", shown.textContent);
    change(index, value);
  };
  input.setAttribute("aria-valuetext", shown.textContent);
  return [input, shown];
}

function number(argument, index, id) {
  const input = element("input", { id, type: "number", step: "any", value: values[index] });
  input.onchange = () => {
    const value = Number(input.value);
    if (input.value.trim() === "" || !Number.isFinite(value)) input.value = values[index];
    else change(index, value);
  };
  return [input];
}

function table(argument, index, id) {
  return [element("output", { id, textContent: `a table of ${argument.table}` })];
}

function row(argument, index) {
  const id = `input${index}`;
  const kinds = { signal, slider, number, table };
  const label = element("label", { htmlFor: id }, element("code", { textContent: argument.name }),
    ` ${{ a: "a-rate", k: "k-rate", i: "i-rate" }[argument.rate]}`);
  return element("div", { className: `input ${argument.kind}` }, label,
    element("div", { className: "control" }, ...kinds[argument.kind](argument, index, id)),
    element("p", { className: "faint", textContent: argument.text ?? "" }));
}

// ---- An opcode

function choose(name) {
  const forms = library.opcodes.filter((opcode) => opcode.name === name);
  byId("form").hidden = forms.length < 2;
  byId("form").replaceChildren(
    ...forms.map((form, index) => element("option", { value: index, textContent: form.syntax })));
  byId("form").onchange = () => play(forms[Number(byId("form").value)]);
  play(forms[0]);
}

function play(opcode) {
  chosen = opcode;
  values = opcode.arguments.map((argument) => argument.value ?? argument.signal);
  byId("name").textContent = opcode.name;
  byId("summary").textContent = `${opcode.summary}.`;
  byId("syntax").textContent = opcode.syntax;
  const rows = opcode.arguments.map(row);
  const isRare = (argument) => argument.isOptional && argument.kind === "number";
  byId("inputs").replaceChildren(...rows.filter((_, index) => !isRare(opcode.arguments[index])));
  byId("rare").replaceChildren(...rows.filter((_, index) => isRare(opcode.arguments[index])));
  byId("more").hidden = !opcode.arguments.some(isRare);
  const heard = opcode.results.filter(({ rate }) => rate === "a");
  byId("outputs").replaceChildren(
    ...(opcode.arguments.some(({ kind }) => kind === "signal")
      ? [element("label", {}, element("input", { id: "dry", type: "checkbox", onchange: ways }), " Hear the input")]
      : []),
    ...(heard.length > 2
      ? [element("label", {}, "Output ", element("select", { id: "heard", onchange: ways }, ...opcode.results.flatMap(
        ({ name, rate }, index) => (rate === "a" ? [element("option", { value: index, textContent: name })] : []))))]
      : []),
    ...opcode.results.flatMap(({ name, rate }, index) => (rate === "a" ? [] : [
      element("span", {}, element("code", { textContent: name }), " ", element("output", { id: `result${index}` }))])),
  );
  for (const entry of byId("list").querySelectorAll("button")) {
    const isChosen = entry.textContent === opcode.name;
    entry.setAttribute("aria-current", isChosen);
    // One stop for the tabulator; the arrow keys go through the list.
    entry.tabIndex = isChosen ? 0 : -1;
    if (isChosen) entry.scrollIntoView({ block: "nearest", inline: "center" });
  }
  history.replaceState(null, "", `#${opcode.name}`);
  begin();
}

const names = [...new Set(library.opcodes.map(({ name }) => name))];
byId("list").replaceChildren(
  ...names.map((name) => element("li", {}, element("button", { textContent: name, onclick: () => choose(name) }))));
byId("list").onkeydown = (event) => {
  const way = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
  const all = [...byId("list").querySelectorAll("button")];
  const next = all[all.indexOf(document.activeElement) + way];
  if (!next) return;
  event.preventDefault();
  next.focus();
  choose(next.textContent);
};
byId("play").onclick = toggle;
byId("volume").oninput = ways;
byId("unplayed").hidden = library.unplayed.length === 0;
byId("unplayed").append(library.unplayed.join(", "), ".");
const asked = decodeURIComponent(location.hash.slice(1));
choose(names.includes(asked) ? asked : names[0]);
