// Between the widgets and the server: the latest value of every channel, in both directions.

const protocol = 'opcodekit-panel-1';

export class Connection extends EventTarget {
  #socket;
  #wait = 250;
  #values = new Map();
  #watchers = new Map();
  // Channels that a hand is on: what comes for them waits until it lets go.
  #held = new Map();
  #waiting = new Map();
  #undo = [];
  #replies = new Map();
  #id = 0;
  // By channel, what this page last set and has no answer to: values that come before the answer are older ones.
  #unanswered = new Map();

  open() {
    const scheme = location.protocol === 'https:' ? 'wss:' : 'ws:';
    this.#socket = new WebSocket(`${scheme}//${location.host}/socket`, protocol);
    this.#socket.onopen = () => { this.#wait = 250; this.#tell('open'); };
    this.#socket.onmessage = event => this.#receive(JSON.parse(event.data));
    this.#socket.onclose = event => {
      this.#held.clear();
      this.#unanswered.clear();
      this.#replies.forEach(([, fail]) => fail(new Error('the connection was lost')));
      this.#replies.clear();
      this.#tell('closed', event.reason);
      setTimeout(() => this.open(), this.#wait);
      this.#wait = Math.min(2000, this.#wait * 2);
    };
  }

  get isOpen() { return this.#socket?.readyState === WebSocket.OPEN; }

  #tell(type, detail) { this.dispatchEvent(new CustomEvent(type, { detail })); }

  #receive(message) {
    switch (message.type) {
      case 'hello': this.#tell('panel', message.panel); break;
      case 'values':
        for (const [name, value] of Object.entries(message.values)) this.#take(name, value);
        for (const [name, text] of Object.entries(message.texts)) this.#take(name, text);
        break;
      case 'done': {
        for (const [id, [finish]] of this.#replies) {
          if (id > message.id) break;
          this.#replies.delete(id);
          finish(performance.now());
        }
        for (const [name, id] of this.#unanswered) if (id <= message.id) this.#unanswered.delete(name);
        break;
      }
      case 'refused': this.#unanswered.clear(); this.#tell('refused', message); break;
      default: this.#tell(message.type, message);
    }
  }

  #take(name, value) {
    if (this.#unanswered.has(name)) return;
    if (this.#held.has(name)) this.#waiting.set(name, value);
    else this.#store(name, value);
  }

  #store(name, value) {
    this.#values.set(name, value);
    for (const watcher of this.#watchers.get(name) ?? []) watcher(value, name);
  }

  #send(message) {
    if (this.isOpen) this.#socket.send(JSON.stringify(message));
  }

  // A value of this page's own.
  #change(name, value, message) {
    this.#store(name, value);
    if (!this.isOpen) return;
    this.#id += 1;
    this.#unanswered.set(name, this.#id);
    this.#send({ ...message, id: this.#id });
  }

  value(name) { return this.#values.get(name); }

  forgetWidgets() { this.#watchers.clear(); this.#held.clear(); this.#undo = []; this.#tell('undoable', false); }

  watch(name, watcher) {
    if (!name) return;
    if (!this.#watchers.has(name)) this.#watchers.set(name, new Set());
    this.#watchers.get(name).add(watcher);
    if (this.#values.has(name)) watcher(this.#values.get(name), name);
  }

  // From a widget: other widgets of the same channel follow.
  set(name, value) {
    if (!name) return;
    if (!this.#held.has(name)) this.#remember([[name, this.#values.get(name)]], true);
    this.#waiting.delete(name);
    this.#change(name, value, { type: 'set', channel: name, value });
  }

  // Resolves, with the time, when what plays has been given all that was set so far.
  answered() {
    return new Promise((finish, fail) => this.#replies.set(this.#id, [finish, fail]));
  }

  // What no hand has done: nothing that could be taken back. Channels that the panel does not have are left out.
  put(name, value) {
    if (!this.#watchers.has(name)) return;
    this.#change(name, value, { type: 'set', channel: name, value });
  }

  has(name) { return this.#watchers.has(name); }

  // One sample of the table that a surface shows.
  sample(widget, index, value) { this.#send({ type: 'sample', widget, index, value }); }

  setText(name, text) {
    if (!name) return;
    this.#change(name, text, { type: 'text', channel: name, text });
  }

  // Without a channel, none is to learn a controller.
  learn(channel) { this.#send({ type: 'learn', channel }); }
  forget(channel) { this.#send({ type: 'forget', channel }); }
  keep(layout) { this.#send({ type: 'layout', layout }); }
  preset(name, action) { this.#send({ type: 'preset', preset: name, action }); }
  press(widget) { this.#send({ type: 'press', widget }); }
  hold(widget, down) { this.#send({ type: 'hold', widget, down }); }
  key(widget, key, down) { this.#send({ type: 'key', widget, key, down }); }
  releaseAll() { this.#send({ type: 'release' }); }

  choose(widget, choice, name, value) {
    if (name && value !== undefined) this.#change(name, value, { type: 'choose', widget, choice });
    else this.#send({ type: 'choose', widget, choice });
  }

  // A hand is on these channels.
  grasp(...names) { for (const name of names) if (name) this.#held.set(name, this.#values.get(name)); }

  letGo(...names) {
    const changes = [];
    for (const name of names) {
      if (!this.#held.has(name)) continue;
      const before = this.#held.get(name);
      this.#held.delete(name);
      if (before !== this.#values.get(name)) changes.push([name, before]);
      if (this.#waiting.has(name)) {
        this.#store(name, this.#waiting.get(name));
        this.#waiting.delete(name);
      }
    }
    this.#remember(changes);
  }

  // Repeated keys and turns of the wheel are one change.
  #remember(changes, canRepeat = false) {
    const known = changes.filter(([, before]) => before !== undefined);
    if (known.length === 0) return;
    const last = this.#undo.at(-1);
    const now = performance.now();
    const names = known.map(([name]) => name).join('\n');
    if (canRepeat && last?.canRepeat && last.names === names && now - last.time < 500) last.time = now;
    else this.#undo.push({ names, time: now, changes: known, canRepeat });
    if (this.#undo.length > 200) this.#undo.shift();
    this.#tell('undoable', true);
  }

  undo() {
    const last = this.#undo.pop();
    for (const [name, value] of last?.changes ?? []) {
      this.#change(name, value, { type: 'set', channel: name, value });
    }
    this.#tell('undoable', this.#undo.length > 0);
  }
}
