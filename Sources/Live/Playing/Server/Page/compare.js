// The button that compares two states of all controls, A and B: each press goes to the other, as it was left.

export class Compare {
  #button;
  #connection;
  // The values of the state that is not shown; null until the button is pressed for the first time.
  #other = null;
  #letter = 'A';
  // The values that the last press has set, and when.
  #set = null;
  #time = -Infinity;

  constructor(button, connection) {
    this.#button = button;
    this.#connection = connection;
    button.addEventListener('click', () => this.toggle());
    connection.addEventListener('closed', () => { button.disabled = true; });
    connection.addEventListener('panel', () => { button.disabled = false; });
    this.#show();
  }

  // Forgets both states, as for another panel.
  forget() {
    this.#other = null;
    this.#letter = 'A';
    this.#set = null;
    this.#show();
  }

  toggle() {
    if (!this.#connection.isOpen) return;
    // Just after a press the page does not have all new values yet, and nobody has changed one.
    const isSettling = performance.now() - this.#time < 200;
    const here = isSettling ? this.#set : this.#connection.snapshot();
    const [other, letter] = [this.#other, this.#letter];
    const there = other ?? new Map(here);
    const turn = (other, letter, set) => {
      [this.#other, this.#letter, this.#set, this.#time] = [other, letter, set, performance.now()];
      this.#show();
    };
    turn(here, letter === 'A' ? 'B' : 'A', there);
    this.#connection.restore(there, here, () => turn(other, letter, here));
  }

  #show() {
    const other = this.#letter === 'A' ? 'B' : 'A';
    const isUsed = this.#other !== null;
    this.#button.textContent = isUsed ? `A/B: ${this.#letter}` : 'A/B';
    this.#button.title = isUsed
      ? `${this.#letter} is heard; press for ${other}, as you left it`
      : 'Keep these values as A, and change them as B; then switch between both';
    this.#button.setAttribute('aria-label', isUsed ? `A/B: ${this.#letter} is heard, go to ${other}` : 'A/B: compare two states');
  }
}
