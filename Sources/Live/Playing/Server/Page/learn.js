// Binds controls to MIDI controllers: the user clicks a control, then moves a controller. Another click on the control
// removes the binding.

export class Learning {
  #connection;
  #place;
  #bindings = { controllers: {}, waiting: null };
  isOn = false;

  constructor(connection, place, { say }) {
    this.#connection = connection;
    this.#place = place;
    this.say = say;
    for (const type of ['pointerdown', 'click', 'dblclick']) {
      place.addEventListener(type, event => this.#point(event), true);
    }
    place.addEventListener('keydown', event => {
      if (event.key === 'Enter' || event.key === ' ') this.#point(event);
    }, true);
  }

  // Shows the bindings that the server has sent.
  show(bindings) {
    const before = this.#bindings.controllers;
    this.#bindings = bindings;
    for (const [name, controller] of Object.entries(bindings.controllers)) {
      if (this.isOn && before[name] !== controller) this.say(`controller ${controller} moves ${name}`);
    }
    this.mark();
  }

  toggle() {
    this.isOn = !this.isOn;
    this.#place.classList.toggle('learning', this.isOn);
    if (!this.isOn && this.#bindings.waiting) this.#connection.ask('learn');
    this.say(this.isOn ? 'point at a control or press Enter on it, then move a controller' : 'connected');
  }

  // Marks each widget with the numbers of its controllers.
  mark() {
    for (const widget of this.#place.querySelectorAll('.widget')) {
      const channels = widget.spec?.channels ?? [];
      const { controllers, waiting } = this.#bindings;
      const known = channels.filter(name => controllers[name] !== undefined).map(name => controllers[name]);
      widget.classList.toggle('waiting', waiting !== null && channels.includes(waiting));
      if (known.length > 0) widget.dataset.controllers = `cc ${known.join(', ')}`;
      else delete widget.dataset.controllers;
    }
  }

  #point(event) {
    if (!this.isOn) return;
    const widget = event.target.closest?.('.widget');
    if (!widget) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.type === 'pointerdown' || event.type === 'dblclick') return;
    const channels = (widget.spec.channels ?? []).filter(Boolean);
    if (channels.length === 0) return this.say('this control has no channel');
    // If a control has several channels, each click chooses the next one.
    const { controllers, waiting } = this.#bindings;
    const channel = channels[(channels.indexOf(waiting) + 1) % channels.length];
    if (waiting === channel || controllers[channel] !== undefined) {
      if (controllers[channel] !== undefined) this.#connection.ask('forget', { channel });
      this.#connection.ask('learn');
      this.say(`no controller moves ${channel}`);
    } else {
      this.#connection.ask('learn', { channel });
      this.say(`move the controller for ${channel}`);
    }
  }
}
