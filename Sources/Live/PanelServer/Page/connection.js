// Connects the widgets with the server: passes the latest value of every channel in both directions.

const protocol = 'opcodekit-panel-1';

export class Connection extends EventTarget {
  #socket;
  #wait = 250;
  #values = new Map();
  #watchers = new Map();
  // Channels that the user is moving, with their values before. Values from the server wait until the user lets go.
  #held = new Map();
  #waiting = new Map();
  #undo = [];
  #replies = new Map();
  #id = 0;
  // By channel, the id of this page's last change, until it is answered. Values that arrive before the answer are
  // older, and ignored.
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

  // Stores a value that this page sets, and sends it.
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

  // Sets a channel from a widget. Other widgets of the same channel follow.
  set(name, value) {
    if (!name) return;
    if (!this.#held.has(name)) this.#remember([[name, this.#values.get(name)]], true);
    this.#waiting.delete(name);
    this.#change(name, value, { type: 'set', channel: name, value });
  }

  // Resolves when the piece has been given everything that was set so far, with the time in milliseconds.
  answered() {
    return new Promise((finish, fail) => this.#replies.set(this.#id, [finish, fail]));
  }

  // Sets a channel without a widget, as a phone's motion does: this cannot be undone. Channels that the panel does not
  // have are ignored.
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

  // Without a channel, stops waiting for a controller.
  learn(channel) { this.#send({ type: 'learn', channel }); }
  forget(channel) { this.#send({ type: 'forget', channel }); }
  keep(layout) { this.#send({ type: 'layout', layout }); }
  // A preset is recalled within some seconds; 0 is at once.
  preset(name, action, seconds = 0) {
    if (action === 'recall') this.#rememberAll();
    this.#send({ type: 'preset', preset: name, action, ...(seconds > 0 && { seconds }) });
  }
  press(widget) { this.#send({ type: 'press', widget }); }
  hold(widget, down) { this.#send({ type: 'hold', widget, down }); }
  key(widget, key, down) { this.#send({ type: 'key', widget, key, down }); }
  releaseAll() { this.#send({ type: 'release' }); }
  panic() { this.#send({ type: 'panic' }); }
  record(on) { this.#send({ type: 'record', on }); }
  pause(on) { this.#send({ type: 'pause', on }); }
  // Keeps the values of the last time (`keep`), or goes back to the piece's own (`undo`).
  settle(action) {
    if (action === 'undo') this.#rememberAll();
    this.#send({ type: 'taken', action });
  }

  choose(widget, choice, name, value) {
    if (name && value !== undefined) this.#change(name, value, { type: 'choose', widget, choice });
    else this.#send({ type: 'choose', widget, choice });
  }

  // The user begins to move these channels.
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

  // Adds changes to those that can be undone. Repeated keys and turns of the wheel within 500 ms are one change.
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

  // Remembers all values, so that what sets many of them at once can be undone.
  #rememberAll() {
    if (!this.isOpen) return;
    this.#undo.push({ all: new Map(this.#values) });
    if (this.#undo.length > 200) this.#undo.shift();
    this.#tell('undoable', true);
  }

  // All values that the page knows.
  snapshot() { return new Map(this.#values); }

  // Sets all values of a snapshot at once, as far as they differ from those of `now`. This can be undone.
  restore(all, now) {
    this.#rememberAll();
    this.#restore(all, now);
  }

  // Sets everything that has changed since back, in messages that are short enough for the server.
  #restore(all, now = this.#values) {
    let message;
    let size = Infinity;
    const messages = [];
    for (const [name, before] of all) {
      if (before === null || before === now.get(name)) continue;
      const part = 2 * JSON.stringify([name, before]).length;
      if (size + part > 8000) {
        message = { type: 'restore', values: {}, texts: {} };
        messages.push(message);
        size = 0;
      }
      message[typeof before === 'number' ? 'values' : 'texts'][name] = before;
      size += part;
    }
    messages.forEach(one => this.#send(one));
  }

  undo() {
    const last = this.#undo.pop();
    if (last?.all) this.#restore(last.all);
    for (const [name, value] of last?.changes ?? []) {
      this.#change(name, value, { type: 'set', channel: name, value });
    }
    this.#tell('undoable', this.#undo.length > 0);
  }
}
