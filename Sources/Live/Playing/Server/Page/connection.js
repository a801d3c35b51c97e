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
  #redo = [];
  // The values that the piece began with, where they are not those of the panel.
  #first = new Map();
  // The name of the preset that was recalled or saved last; empty if there is none.
  #preset = '';
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
      case 'first': this.#first = new Map(Object.entries(message.values)); break;
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
      case 'presets': this.#preset = message.chosen ?? ''; // Falls through.
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
  first(name) { return this.#first.get(name); }

  forgetWidgets() { this.#watchers.clear(); this.#held.clear(); this.#first.clear(); this.#undo = []; this.#redo = []; this.#tell('undoable', false); }

  watch(name, watcher) {
    if (!name) return;
    if (!this.#watchers.has(name)) this.#watchers.set(name, new Set());
    this.#watchers.get(name).add(watcher);
    if (this.#values.has(name)) watcher(this.#values.get(name), name);
  }

  // Sets a channel from a widget. Other widgets of the same channel follow.
  set(name, value) {
    if (!name) return;
    if (!this.#held.has(name)) this.#remember([[name, this.#values.get(name)]], name);
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
    const before = this.#values.get(name) ?? '';
    if (before !== text) this.#remember([[name, before]]);
    this.#change(name, text, { type: 'text', channel: name, text });
  }

  // Sends a request that changes nothing that this page knows.
  ask(type, fields) { this.#send({ type, ...fields }); }

  // A preset is recalled within some seconds; 0 is at once.
  preset(name, action, seconds = 0) {
    if (action === 'recall') this.#rememberAll();
    this.#send({ type: 'preset', preset: name, action, ...(seconds > 0 && { seconds }) });
  }
  // Keeps the values of the last time (`keep`), or goes back to the piece's own (`undo`).
  settle(action) {
    if (action === 'undo') this.#rememberAll();
    this.#send({ type: 'taken', action });
  }

  // Chooses one of a widget's choices, which gives its channel a value. `before` is the choice that there was, -1 for none.
  // `rivals` are channels that the server may change because of this. `show` shows a choice of a widget without channel.
  choose(widget, choice, { name, value, before, rivals = [], show }) {
    const message = { type: 'choose', widget, choice };
    const back = before < 0 ? undefined : { ...message, choice: before };
    if (name) {
      this.#remember([[name, this.#values.get(name) ?? (typeof value === 'string' ? '' : 0), back], ...rivals.map(rival => [rival, this.#values.get(rival)])]);
      this.#change(name, value, message);
    } else {
      this.#send(message);
      const go = one => () => { this.#send(one); show(one.choice); return go(one === back ? message : back); };
      if (back) this.canUndo(go(back));
    }
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
    if (changes.length > 0) this.#remember(changes);
  }

  // Adds what takes a change back, and may return what makes it again. Changes of one `kind` within 500 ms, as by repeated
  // keys or the wheel, are one.
  canUndo(back, kind) {
    this.#redo = [];
    const last = this.#undo.at(-1);
    const time = performance.now();
    if (kind && last?.kind === kind && time - last.time < 500) last.time = time;
    else this.#undo.push({ back, kind, time });
    if (this.#undo.length > 200) this.#undo.shift();
    this.#tell('undoable', true);
  }

  // Remembers channels with their values before, and the messages that set them back if there are special ones. A channel
  // that had no value yet was 0.
  #remember(changes, kind) { this.canUndo(() => this.#changeAll(changes), kind); }

  #changeAll(changes) {
    for (const [name, before, message] of changes) {
      const value = before ?? 0;
      const set = typeof value === 'string' ? { type: 'text', text: value } : { type: 'set', value };
      this.#change(name, value, message ?? { ...set, channel: name });
    }
  }

  // Remembers all values, so that what sets many of them at once can be undone.
  #rememberAll(back) {
    if (!this.isOpen) return;
    const [all, preset] = [this.snapshot(), this.#preset];
    this.canUndo(() => {
      this.#restore(all, this.#values, preset);
      back?.();
    });
  }

  // All values that the page knows.
  snapshot() { return new Map(this.#values); }

  // Sets all values of a snapshot at once, as far as they differ from those of `now`. This can be undone.
  restore(all, now, back) {
    this.#rememberAll(back);
    this.#restore(all, now);
  }

  // Sets everything that has changed since back, in messages that are short enough for the server. `preset` is the preset
  // that was chosen then.
  #restore(all, now, preset) {
    const messages = [];
    const begin = () => messages.push({ type: 'restore', values: {}, texts: {}, preset });
    let size = 0;
    begin();
    for (const [name, before] of all) {
      if (before === null || before === now.get(name)) continue;
      const part = 2 * JSON.stringify([name, before]).length;
      if (size + part > 8000) {
        begin();
        size = 0;
      }
      messages.at(-1)[typeof before === 'number' ? 'values' : 'texts'][name] = before;
      size += part;
    }
    messages.forEach(one => this.#send(one));
  }

  undo() { this.#go(this.#undo, this.#redo); }
  redo() { this.#go(this.#redo, this.#undo); }

  // Goes the last step of one list, and adds the way back to the other.
  #go(from, to) {
    const [last, all, preset] = [from.pop(), this.snapshot(), this.#preset];
    if (!last) return;
    const again = last.back();
    const changed = [...all].filter(([name, before]) => before !== this.#values.get(name));
    const back = () => changed.length > 0 ? this.#changeAll(changed) : this.#restore(all, this.#values, preset);
    to.push({ back: again ?? back });
    this.#tell('undoable', this.#undo.length > 0);
  }
}
