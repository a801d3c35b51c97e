// The values of a channel and how they are spread along a widget, as `ValueRange` in Swift.

// The nearest of 1, 2, 5 and 10 times a power of ten.
function rounded(number) {
  if (!(number > 0)) return 0;
  const power = 10 ** Math.floor(Math.log10(number));
  return [1, 2, 5, 10].reduce((best, one) =>
    Math.abs(one * power - number) < Math.abs(best * power - number) ? one : best) * power;
}

export class Range {
  constructor(spec = {}) {
    this.minimum = spec.minimum ?? 0;
    this.maximum = spec.maximum ?? 1;
    this.initial = spec.initial;
    this.step = spec.step ?? 0;
    this.curve = spec.curve ?? 'linear';
    this.skew = spec.skew ?? 1;
  }

  get low() { return Math.min(this.minimum, this.maximum); }
  get high() { return Math.max(this.minimum, this.maximum); }
  // What a double click restores.
  get rest() { return this.initial ?? this.minimum; }

  valueAt(position) {
    const part = Math.min(1, Math.max(0, position));
    const { minimum, maximum } = this;
    switch (this.curve) {
      case 'exponential': return this.admitted(minimum * (maximum / minimum) ** part);
      case 'skew': return this.admitted(minimum + (maximum - minimum) * part ** (1 / this.skew));
      default: return this.admitted(minimum + (maximum - minimum) * part);
    }
  }

  positionOf(value) {
    const { minimum, maximum } = this;
    if (minimum === maximum) return 0;
    const admitted = this.clamped(value);
    const linear = (admitted - minimum) / (maximum - minimum);
    const part = this.curve === 'exponential' ? Math.log(admitted / minimum) / Math.log(maximum / minimum)
      : this.curve === 'skew' ? linear ** this.skew : linear;
    return Math.min(1, Math.max(0, part));
  }

  clamped(value) { return Math.min(this.high, Math.max(this.low, value)); }

  admitted(value) {
    const stepped = this.step > 0
      ? this.minimum + Math.round((value - this.minimum) / this.step) * this.step : value;
    return this.clamped(stepped);
  }

  // The value after an arrow key: one step further if the control has steps, or else `parts` of its length.
  next(value, parts) {
    return this.step > 0
      ? this.admitted(value + Math.sign(parts) * Math.sign(this.maximum - this.minimum) * this.step) : this.moved(value, parts);
  }

  // The value that is `parts` of the widget's length further. It moves by at least one step, so that a key always has
  // an effect. A linear range without steps moves by a round number: 1, 2 or 5 times a power of ten.
  moved(value, parts) {
    if (this.curve === 'linear' && this.step === 0 && Math.abs(parts) < 1) {
      const range = this.maximum - this.minimum;
      const step = rounded(Math.abs(parts * range));
      const unit = Math.min(step, rounded(Math.abs(range / 100)));
      const next = value + Math.sign(parts * range) * step;
      if (unit > 0) return this.clamped(Number((Math.round(next / unit) * unit).toPrecision(12)));
    }
    const next = this.valueAt(this.positionOf(value) + parts);
    if (this.step > 0 && Math.abs(next - value) < this.step / 2) {
      const direction = Math.sign(parts) * Math.sign(this.maximum - this.minimum);
      return this.admitted(value + direction * this.step);
    }
    return next;
  }

  // The value as text, with `precision` digits after the decimal point, or else as many as the range needs.
  text(value, precision) {
    if (value === undefined || value === null || Number.isNaN(value)) return '–';
    if (precision !== undefined && precision !== null) return value.toFixed(Math.max(0, Math.min(20, precision)));
    if (this.step > 0) {
      const digits = (String(this.step).split('.')[1] ?? '').length;
      return value.toFixed(Math.min(10, digits));
    }
    const size = this.curve === 'exponential' ? Math.abs(value) : Math.max(Math.abs(this.minimum), Math.abs(this.maximum));
    if (size === 0) return '0';
    if (size >= 1e6 || size < 1e-3) return value.toPrecision(4);
    return value.toFixed(Math.max(0, Math.min(6, 3 - Math.floor(Math.log10(size)))));
  }
}
