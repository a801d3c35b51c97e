// Scope and spectrum of the output.

import { Widget, drawSharp, element } from './widget.js';

class OutputPicture extends Widget {
  build() {
    this.canvas = element('canvas', { role: 'img', 'aria-label': this.caption || this.spec.kind });
    this.plane = element('div', { class: 'plane' }, this.canvas);
    if (this.caption) this.append(element('span', { class: 'name' }, this.caption));
    this.append(this.plane);
    this.hear('output', ({ samples, rate }) => document.hidden || drawSharp(this.canvas, this.plane, (paint, width, height) => {
      const style = getComputedStyle(this);
      paint.strokeStyle = style.getPropertyValue('--ink') || style.color;
      paint.lineWidth = Math.max(1, devicePixelRatio);
      paint.beginPath();
      this.draw(samples.map(sample => sample / 10000), rate, paint, width, height);
      paint.stroke();
    }));
  }
}

class Scope extends OutputPicture {
  // Begins at a rising zero crossing, so that a steady tone stands still.
  draw(samples, rate, paint, width, height) {
    const count = Math.min(1024, samples.length);
    let start = 0;
    for (let index = 1; index <= samples.length - count; index++) {
      if (samples[index - 1] < 0 && samples[index] >= 0) { start = index; break; }
    }
    let peak = 0;
    for (let index = 0; index < count; index++) {
      const sample = samples[start + index];
      peak = Math.max(peak, Math.abs(sample));
      paint.lineTo(index / (count - 1) * width, (1 - Math.max(-1, Math.min(1, sample))) / 2 * (height - 2) + 1);
    }
    this.canvas.dataset.peak = peak;
  }
}

class Spectrum extends OutputPicture {
  // From 20 Hz to half the sample rate on a logarithmic axis; from -100 to 0 dBFS.
  draw(samples, rate, paint, width, height) {
    const size = 2048;
    if (samples.length < size) return;
    const power = powers(samples.slice(-size));
    const top = rate / 2;
    let loudest = 1;
    for (let bin = 1; bin < size / 2; bin++) {
      if (power[bin] > power[loudest]) loudest = bin;
      const frequency = bin * rate / size;
      if (frequency < 20) continue;
      const decibels = 10 * Math.log10(power[bin] + 1e-12);
      const x = Math.log(frequency / 20) / Math.log(top / 20) * width;
      paint.lineTo(x, Math.min(1, Math.max(0, -decibels / 100)) * (height - 2) + 1);
    }
    this.canvas.dataset.loudest = loudest * rate / size;
    this.canvas.dataset.level = 10 * Math.log10(power[loudest] + 1e-12);
  }
}

// The power of each bin under a Hann window, 1 for a sine at full scale.
function powers(samples) {
  const size = samples.length;
  const re = Float64Array.from(samples, (sample, index) =>
    sample * (0.5 - 0.5 * Math.cos(2 * Math.PI * index / size)));
  const im = new Float64Array(size);
  for (let index = 1, mirror = 0; index < size; index++) {
    let bit = size >> 1;
    for (; mirror & bit; bit >>= 1) mirror ^= bit;
    mirror ^= bit;
    if (index < mirror) [re[index], re[mirror]] = [re[mirror], re[index]];
  }
  for (let length = 2; length <= size; length *= 2) {
    const angle = -2 * Math.PI / length;
    for (let start = 0; start < size; start += length) {
      for (let index = 0; index < length / 2; index++) {
        const [c, s] = [Math.cos(angle * index), Math.sin(angle * index)];
        const [low, high] = [start + index, start + index + length / 2];
        const [x, y] = [re[high] * c - im[high] * s, re[high] * s + im[high] * c];
        [re[high], im[high]] = [re[low] - x, im[low] - y];
        re[low] += x;
        im[low] += y;
      }
    }
  }
  return re.slice(0, size / 2).map((value, bin) => (value * value + im[bin] * im[bin]) * (4 / size) ** 2);
}

customElements.define('panel-scope', Scope);
customElements.define('panel-spectrum', Spectrum);
