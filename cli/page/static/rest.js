// A screen that shows the same for hours: it is moved a little now and then, and dimmed where nothing happens any more.

const SHIFT_MS = 60000;
const DIM_MS = 600000;
const BY = 4;
const STEPS = [[0, 0], [BY, 0], [BY, BY], [0, BY], [-BY, BY], [-BY, 0], [-BY, -BY], [0, -BY]];

export class Rest {
  constructor(root) {
    this.root = root;
    this.step = 0;
    setInterval(() => this.shift(), SHIFT_MS);
    this.happened();
  }

  shift() {
    this.step = (this.step + 1) % STEPS.length;
    this.root.style.translate = STEPS[this.step].map((each) => `${each}px`).join(" ");
  }

  // What is shown; clocks that go on are nothing that happens.
  show(view) {
    const now = JSON.stringify([view.kind, view.heading, view.rows, view.last_event, view.log?.length, view.frame.title]);
    if (now !== this.shown) this.happened();
    this.shown = now;
  }

  happened() {
    clearTimeout(this.dimming);
    document.documentElement.classList.remove("resting");
    this.dimming = setTimeout(() => document.documentElement.classList.add("resting"), DIM_MS);
  }
}
