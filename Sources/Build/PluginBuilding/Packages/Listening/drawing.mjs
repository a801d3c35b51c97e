// Draws the wave and the spectrum of what sounds, and says its level.

export const byId = (id) => document.getElementById(id);
const colors = getComputedStyle(document.documentElement);
let measured = 0;

/** A canvas that is empty and as sharp as the screen, with its size in pixels of the page. */
function canvas(id) {
  const { clientWidth: width, clientHeight: height } = byId(id), context = byId(id).getContext("2d");
  [byId(id).width, byId(id).height] = [width * devicePixelRatio, height * devicePixelRatio];
  context.scale(devicePixelRatio, devicePixelRatio);
  context.font = "12px sans-serif";
  context.fillStyle = colors.getPropertyValue("--faint");
  const line = (places, color) => {
    context.strokeStyle = colors.getPropertyValue(color);
    context.lineWidth = 1.5;
    context.beginPath();
    for (const [x, y] of places) context.lineTo(x, y);
    context.stroke();
  };
  return { width, height, context, line };
}

export function draw(analyser, now = 0) {
  requestAnimationFrame((time) => draw(analyser, time));
  const { sampleRate } = analyser.context;
  const wave = new Float32Array(analyser.fftSize), levels = new Float32Array(analyser.frequencyBinCount);
  analyser.getFloatTimeDomainData(wave);
  const shown = canvas("wave"), count = Math.round(sampleRate / 50);
  shown.line([[0, shown.height / 2], [shown.width, shown.height / 2]], "--rule");
  shown.context.fillText("20 ms", shown.width - 40, 13);
  // It begins where the wave rises through zero, so that it stands still.
  const first = Math.max(0, wave.findIndex((sample, index) => index < wave.length - count && sample < 0 && wave[index + 1] >= 0));
  shown.line(Array.from({ length: count }, (_, index) => [
    index / count * shown.width, shown.height / 2 * (1 - 0.95 * wave[first + index])]), "--curve-2");

  const { width, height, context, line } = canvas("spectrum");
  const place = (hertz) => (Math.log2(hertz / 20) / Math.log2(sampleRate / 40)) * width;
  for (const [hertz, name] of [[100, "100 Hz"], [1000, "1k"], [10000, "10k"]]) {
    line([[place(hertz), 0], [place(hertz), height]], "--rule");
    context.fillText(name, Math.min(place(hertz) + 4, width - 24), 13);
  }
  analyser.getFloatFrequencyData(levels);
  // From -110 dB at the bottom to -10 dB at the top.
  line([...levels].slice(2).map((level, index) => [
    place((index + 2) * sampleRate / analyser.fftSize), height * Math.min(1, Math.max(0, (-10 - level) / 100))]), "--curve-1");

  if (now - measured < 250) return;
  measured = now;
  const power = wave.reduce((sum, sample) => sum + sample * sample, 0) / wave.length;
  byId("level").textContent = power < 1e-9 ? "silent" : `${(10 * Math.log10(power)).toFixed(0)} dB`;
}
