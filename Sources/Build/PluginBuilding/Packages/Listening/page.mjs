import { element } from "../../../../Live/Playing/Server/Page/element.js";
import { Keys } from "../../../../Live/Playing/Server/Page/keys.js";
import { byId, draw } from "./drawing.mjs";

// The page: a list of opcodes, and for the chosen one its inputs, its outputs, keys and what it says.

/** The bytes of a part of the page, which is compressed and in base64. */
async function part(id) {
  const bytes = Uint8Array.from(atob(byId(id).textContent.trim()), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

const library = JSON.parse(new TextDecoder().decode(await part("library")));
const names = [...new Set(library.opcodes.map(({ name }) => name))];
const signals = {
  plucks: "Plucked notes", drums: "Drums", sawtooth: "Sawtooth, 110 Hz", sine: "Sine, 330 Hz", noise: "Noise",
  pulses: "Pulses", silence: "Silence", microphone: "Microphone (with headphones)", file: "Your own sound file",
};
let sound, node, starting, microphone, chosen, values, fileFor, isPlaying = false;

// ---- Playing

/** Makes the audio thread at the first sound, as browsers want a click before it. */
async function start() {
  starting ??= setUp().catch((error) => say(`The sound cannot begin: ${error.message}\n`));
  await starting;
  await sound.resume();
}

async function setUp() {
  sound = new AudioContext();
  // In a page that is a file, Chromium refuses a blob.
  await sound.audioWorklet.addModule(`data:text/javascript,${encodeURIComponent(byId("audio").textContent)}`);
  const [engine, plugin] = [await part("engine"), await part("plugin")];
  const tables = library.tables.map(({ number, elements }) => ({ number, elements: Float64Array.from(elements) }));
  node = new AudioWorkletNode(sound, "opcode", { outputChannelCount: [2], processorOptions: { engine, plugin, tables } });
  node.onprocessorerror = () => say("The audio thread has ended; load the page again.\n");
  node.port.onmessage = ({ data }) => {
    if (data.said) say(data.said);
    if (data.values) showValues(data);
  };
  const analyser = new AnalyserNode(sound, { fftSize: 4096, smoothingTimeConstant: 0.6 });
  node.connect(analyser).connect(sound.destination);
  draw(analyser);
  begin();
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
      volume: Number(byId("volume").value),
    },
  });
}

function begin() {
  byId("said").textContent = "";
  send({ opcode: chosen, inputs: values, press: isPlaying && ["play"] });
  ways();
  listen();
}

function show(plays) {
  isPlaying = plays;
  byId("play").textContent = plays ? "Stop" : "Play";
  byId("play").setAttribute("aria-pressed", plays);
  listen();
}

async function toggle() {
  await start();
  show(!isPlaying);
  send(isPlaying ? { press: ["play"] } : { release: "play" });
}

/** Opens the microphone while an input has it, and closes it otherwise. */
async function listen() {
  if (isPlaying && values.includes("microphone") && !microphone) {
    try {
      const plain = { echoCancellation: false, noiseSuppression: false, autoGainControl: false };
      const mediaStream = await navigator.mediaDevices.getUserMedia({ audio: plain });
      microphone = new MediaStreamAudioSourceNode(sound, { mediaStream });
      microphone.connect(node);
    } catch (error) {
      say(!navigator.mediaDevices ? "The browser gives a microphone only to pages from https:// and to files.\n"
        : error.name === "NotAllowedError" ? "The microphone was refused. Allow it for this page, then press Play again.\n"
        : `There is no sound from a microphone: ${error.message}\n`);
    }
  } else if (!(isPlaying && values.includes("microphone")) && microphone) {
    microphone.mediaStream.getTracks().forEach((track) => track.stop());
    microphone.disconnect();
    microphone = undefined;
  }
}

/** Reads a sound file for an input. */
async function load(file, index) {
  if (!file || !(index >= 0)) return;
  try {
    await start();
    const read = await sound.decodeAudioData(await file.arrayBuffer());
    const mixed = new Float32Array(read.length);
    for (let channel = 0; channel < read.numberOfChannels; channel++) {
      read.getChannelData(channel).forEach((sample, frame) => (mixed[frame] += sample / read.numberOfChannels));
    }
    send({ sound: mixed });
    change(index, "file");
  } catch (error) {
    say(`'${file.name}' cannot be read: ${error.message}\n`);
  }
  byId(`input${index}`).value = values[index];
}

// ---- Keys

const held = new Set();
async function play(key, isDown, velocity = 1) {
  keys.show(key, isDown);
  held[isDown ? "add" : "delete"](key);
  if (!isDown) return send({ release: key });
  await start();
  if (isPlaying) toggle();
  send({ press: [key, velocity] });
  if (!held.has(key)) send({ release: key });
}

const keys = new Keys({ name: "Notes", caption: "Keys" }, play);
byId("keys").append(...keys.elements);
keys.showLetters(true);
const isTaken = ({ ctrlKey, metaKey, altKey, target }) => ctrlKey || metaKey || altKey || byId("keyed").hidden
  || target.matches?.("select, input:not([type=range], [type=checkbox])");
addEventListener("keydown", (event) => {
  if (isTaken(event)) return;
  if (event.code === "KeyZ" || event.code === "KeyX") keys.shift(event.code === "KeyZ" ? -1 : 1);
  else if (keys.letter(event.code, true)) event.preventDefault();
});
addEventListener("keyup", ({ code }) => keys.letter(code, false));
addEventListener("blur", () => {
  held.clear();
  keys.release();
  send({ release: "keys" });
});

async function midi() {
  try {
    const access = await navigator.requestMIDIAccess();
    await start();
    const inputs = () => [...access.inputs.values()];
    access.onstatechange = () => {
      for (const input of inputs()) {
        input.onmidimessage = ({ data: [status, key, velocity] }) => {
          if ((status & 0xe0) === 0x80) play(key, status >= 0x90 && velocity > 0, velocity / 127);
        };
      }
      byId("midi").textContent = `MIDI: ${inputs().map(({ name }) => name).join(", ") || "nothing is connected"}`;
    };
    access.onstatechange();
  } catch (error) {
    say(navigator.requestMIDIAccess ? `MIDI was refused: ${error.message}\n` : "This browser has no MIDI.\n");
  }
}

// ---- An input

function showValues({ values: all, gain }) {
  const down = -20 * Math.log10(gain);
  byId("down").textContent = down < 0.5 ? "" : `Turned down by ${down.toFixed(0)} dB.`;
  chosen.results.forEach(({ rate }, index) => {
    const cell = byId(`result${index}`);
    if (cell && rate !== "a" && Number.isFinite(all[index])) cell.textContent = all[index].toPrecision(5);
  });
}

/** A control's place from 0 to 1 and back, such that an ordinary value far below the greatest is not at the edge. */
function scale({ low, high, value }) {
  const base = low < 0 && high > 0 ? 0 : low, most = Math.max(high - base, base - low);
  const middle = Math.abs(value - base) / most;
  const power = middle > 0 && middle < 0.4 ? Math.min(6, Math.log(middle) / Math.log(0.4)) : 1;
  const bent = (part, power) => Math.sign(part) * Math.abs(part) ** power;
  const [first, last] = [low, high].map((number) => bent((number - base) / most, 1 / power));
  return {
    number: (place) => base + most * bent(first + (last - first) * place, power),
    place: (number) => Math.min(1, Math.max(0, (bent((number - base) / most, 1 / power) - first) / (last - first))),
  };
}

const short = (number) => String(Number(number.toPrecision(4)));

function change(index, value) {
  values[index] = value;
  // Csound reads an i-rate argument when a note begins.
  if (chosen.rates[index] === "i") begin();
  else send({ set: [index, value] });
  listen();
  link();
}

const kinds = {
  signal(argument, index, id) {
    const choice = element("select", { id, onchange: () => {
      if (choice.value !== "file") return change(index, choice.value);
      fileFor = index;
      byId("file").click();
    } }, ...Object.entries(signals).map(([value, name]) => element("option", { value }, name)));
    choice.value = values[index];
    return [choice];
  },
  /** A field for the exact number, which may lie beyond the slider's range. */
  number({ unit = "" }, index, id) {
    const field = element("input", { id, type: "number", step: "any", value: short(values[index]), onchange: () => {
      if (field.value.trim() !== "" && Number.isFinite(Number(field.value))) change(index, Number(field.value));
      else field.value = short(values[index]);
      field.oninput?.();
    } });
    return [field, element("span", { class: "unit" }, unit)];
  },
  slider(argument, index, id) {
    const { number, place } = scale(argument), { name, isWhole, high, low, unit = "" } = argument;
    const [field, after] = kinds.number(argument, index, id);
    const slider = element("input", {
      type: "range", min: 0, max: 1, step: isWhole ? 1 / (high - low) : 0.001, "aria-label": `${name}, slider`, oninput: () => {
        const value = Number(short(number(Number(slider.value))));
        change(index, isWhole ? Math.round(value) : value);
        show();
      },
    });
    const show = () => {
      [field.value, slider.value] = [short(values[index]), place(values[index])];
      slider.setAttribute("aria-valuetext", `${field.value} ${unit}`);
    };
    field.oninput = () => { if (Number(field.value) === values[index]) show(); };
    show();
    return [slider, field, after];
  },
  table: ({ table }, index, id) => [element("output", { id }, `a table of ${table}`)],
};

function row(argument, index) {
  const { name, rate, kind, text = "", low, high, unit = "" } = argument, id = `input${index}`;
  const rates = { a: "a-rate", k: "k-rate", i: "i-rate, begins the note again" };
  return element("div", { class: `input ${kind}` },
    element("label", { for: id }, element("code", {}, name), element("span", { class: "faint" }, ` ${rates[rate]}`)),
    element("div", { class: "control" }, ...kinds[kind](argument, index, id)),
    element("p", { class: "faint" }, kind === "slider" ? `${short(low)} to ${short(high)} ${unit}`.trim() + ". " : "", text));
}

// ---- An opcode

/** The link of what is set; what is as at first is left out, and so is a file, which stays with its owner. */
function link() {
  const settings = new URLSearchParams(), form = forms(chosen.name).indexOf(chosen);
  if (form > 0) settings.set("form", form);
  chosen.arguments.forEach(({ name, value, signal }, index) => {
    if (values[index] !== (value ?? signal) && values[index] !== "file") settings.set(name, values[index]);
  });
  byId("link").href = `#${chosen.name}${`${settings}` && `?${settings}`}`;
  clearTimeout(link.timer);
  link.timer = setTimeout(() => history.replaceState(null, "", byId("link").href), 200);
}

/** Shows what a link holds. */
function restore(hash) {
  const [, name, rest] = hash.match(/^#?([^?]*)\??(.*)$/), settings = new URLSearchParams(rest);
  const isKnown = names.includes(decodeURIComponent(name));
  choose(isKnown ? decodeURIComponent(name) : names[0], Number(settings.get("form")) || 0, settings);
  if (name && !isKnown) say(`The link is about '${decodeURIComponent(name)}', which is not in this page.\n`);
}

const forms = (name) => library.opcodes.filter((opcode) => opcode.name === name);

function choose(name, form = 0, settings = new URLSearchParams()) {
  const all = forms(name);
  chosen = all[form] ?? all[0];
  values = chosen.arguments.map(({ name, kind, value, signal }) => {
    const asked = settings.get(name);
    if (kind === "signal") return asked in signals && asked !== "file" ? asked : signal;
    return asked?.trim() && Number.isFinite(Number(asked)) && kind !== "table" ? Number(asked) : value;
  });
  byId("form").hidden = all.length < 2;
  byId("form").replaceChildren(...all.map(({ syntax }, index) => element("option", { value: index }, syntax)));
  byId("form").value = all.indexOf(chosen);
  byId("form").onchange = () => choose(name, Number(byId("form").value));
  byId("name").textContent = name;
  byId("summary").textContent = `${chosen.summary}.`;
  byId("syntax").textContent = chosen.syntax;
  byId("keyed").hidden = chosen.pitch === undefined;
  const rows = chosen.arguments.map(row);
  const isRare = ({ isOptional, kind }) => isOptional && kind === "number";
  byId("inputs").replaceChildren(...rows.filter((_, index) => !isRare(chosen.arguments[index])));
  byId("rare").replaceChildren(...rows.filter((_, index) => isRare(chosen.arguments[index])));
  byId("more").hidden = !chosen.arguments.some(isRare);
  const heard = chosen.results.filter(({ rate }) => rate === "a");
  const results = chosen.results.map(({ name, rate }, index) => ({ name, rate, index }));
  byId("outputs").replaceChildren(
    ...(chosen.arguments.some(({ kind }) => kind === "signal")
      ? [element("label", {}, element("input", { id: "dry", type: "checkbox", onchange: ways }), " Hear the input")] : []),
    ...(heard.length > 2 ? [element("label", {}, "Output ", element("select", { id: "heard", onchange: ways },
      ...results.filter(({ rate }) => rate === "a").map(({ name, index }) => element("option", { value: index }, name))))] : []),
    ...results.filter(({ rate }) => rate !== "a").map(({ name, index }) =>
      element("span", {}, element("code", {}, name), " ", element("span", { id: `result${index}` }))));
  for (const entry of byId("list").querySelectorAll("button")) {
    const isChosen = entry.textContent === name;
    entry.setAttribute("aria-current", isChosen);
    // One stop for the tabulator; the arrow keys go through the list.
    entry.tabIndex = isChosen ? 0 : -1;
    if (isChosen) byId("list").scrollTop = entry.offsetTop - 80;
  }
  begin();
  link();
}

byId("list").append(...names.map((name) => element("li", {}, element("button", { onclick: () => choose(name) }, name))));
byId("list").onkeydown = (event) => {
  const way = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
  const all = [...byId("list").querySelectorAll("li:not([hidden]) button")];
  const next = all[all.indexOf(document.activeElement) + way];
  if (!next) return;
  event.preventDefault();
  next.focus();
  choose(next.textContent);
};
byId("search").oninput = () => {
  const asked = byId("search").value.trim().toLowerCase();
  for (const entry of byId("list").children) {
    entry.hidden = !`${entry.textContent} ${forms(entry.textContent)[0].summary}`.toLowerCase().includes(asked);
  }
};
byId("search").onkeydown = ({ key }) => {
  const first = byId("list").querySelector("li:not([hidden]) button");
  if (key === "Enter" && first) choose(first.textContent);
};
byId("play").onclick = toggle;
byId("volume").oninput = ways;
byId("midi").onclick = midi;
byId("reset").onclick = () => choose(chosen.name, forms(chosen.name).indexOf(chosen));
byId("file").onchange = () => load(byId("file").files[0], fileFor);
byId("file").oncancel = () => (byId(`input${fileFor}`).value = values[fileFor]);
addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", (event) => {
  event.preventDefault();
  const index = chosen.arguments.findIndex(({ kind }) => kind === "signal");
  if (index < 0) say(`${chosen.name} has no input for a sound.\n`);
  load(event.dataTransfer.files[0], index);
});
// The address may be another one by now.
addEventListener("hashchange", ({ newURL }) => restore(new URL(newURL).hash));
byId("unplayed").hidden = library.unplayed.length === 0;
byId("unplayed").append(library.unplayed.join(", "), ".");
restore(location.hash);
