// A phone's motion, on the channels that pieces for phones read: acceleration in g, turning in rad/s, attitude in rad.

export const motionChannels = [
  'accelerometerX', 'accelerometerY', 'accelerometerZ', 'gyroX', 'gyroY', 'gyroZ', 'attitudePitch', 'attitudeRoll',
  'attitudeYaw',
];

const gravity = 9.80665;
const radians = Math.PI / 180;

export class Motion {
  #connection;
  #attitude;
  // Some browsers count gravity the other way: a phone that lies on its back tells.
  #sign = 1;
  isOn = false;

  constructor(connection) { this.#connection = connection; }

  static get isThere() { return isSecureContext && typeof DeviceMotionEvent === 'function'; }

  // Called by a click, as browsers want it; throws with a sentence when it is refused.
  async start() {
    for (const kind of [DeviceMotionEvent, globalThis.DeviceOrientationEvent]) {
      if (typeof kind?.requestPermission !== 'function') continue;
      const answer = await kind.requestPermission().catch(error => error.message);
      if (answer !== 'granted') throw new Error(`the browser does not hand out the motion: ${answer}`);
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

  // Sensors that a phone does not have say null.
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
