// Sends a phone's motion to the channels that pieces for phones read: acceleration in g, rotation in rad/s, attitude in
// rad.

export const motionChannels = [
  'accelerometerX', 'accelerometerY', 'accelerometerZ', 'gyroX', 'gyroY', 'gyroZ', 'attitudePitch', 'attitudeRoll',
  'attitudeYaw',
];

const gravity = 9.80665;
const radians = Math.PI / 180;

export class Motion {
  #connection;
  #attitude;
  // Some browsers report gravity with the opposite sign. The attitude of a phone that lies flat shows which.
  #sign = 1;
  isOn = false;

  constructor(connection) { this.#connection = connection; }

  static get isThere() { return isSecureContext && typeof DeviceMotionEvent === 'function'; }

  // Must be called by a click, as browsers require. Throws an error with a sentence if the user or the browser refuses.
  async start() {
    for (const kind of [DeviceMotionEvent, globalThis.DeviceOrientationEvent]) {
      if (typeof kind?.requestPermission !== 'function') continue;
      const answer = await kind.requestPermission().catch(error => error.message);
      if (answer !== 'granted') throw new Error(`the browser does not allow the use of motion sensors: ${answer}`);
    }
    addEventListener('devicemotion', this.#moved);
    addEventListener('deviceorientation', this.#turned);
    this.isOn = true;
  }

  stop() {
    removeEventListener('devicemotion', this.#moved);
    removeEventListener('deviceorientation', this.#turned);
    this.isOn = false;
  }

  // Sensors that a phone does not have report null.
  #put(name, value, unit) {
    if (Number.isFinite(value)) this.#connection.put(name, value * unit);
  }

  #moved = event => {
    const { x, y, z } = event.accelerationIncludingGravity ?? {};
    if (this.#attitude && Math.abs(z) > 3) {
      const up = Math.cos(this.#attitude.beta * radians) * Math.cos(this.#attitude.gamma * radians);
      if (Math.abs(up) > 0.5) this.#sign = Math.sign(z * up);
    }
    for (const [axis, value] of [['X', x], ['Y', y], ['Z', z]]) this.#put(`accelerometer${axis}`, value, -this.#sign / gravity);
    const { alpha, beta, gamma } = event.rotationRate ?? {};
    for (const [axis, value] of [['X', beta], ['Y', gamma], ['Z', alpha]]) this.#put(`gyro${axis}`, value, radians);
  };

  #turned = event => {
    this.#attitude = event;
    const names = { Pitch: event.beta, Roll: event.gamma, Yaw: event.alpha };
    for (const [name, value] of Object.entries(names)) this.#put(`attitude${name}`, value, radians);
  };
}
