// Taps that nobody meant: the second of two quick ones, where something else has come to lie under the finger since the first.

const QUICK_MS = 400; // nobody reads and answers faster
const NEAR_PX = 40;

export class Slips {
  constructor() {
    this.last = null;
  }

  // `key`: what is tapped. Whoever goes on tapping goes on slipping.
  isSlip(at, x, y, key) {
    const { last } = this;
    const isOther = last !== null && at - last.at < QUICK_MS && Math.hypot(x - last.x, y - last.y) < NEAR_PX && key !== last.key;
    this.last = { at, x, y, key: isOther ? last.key : key };
    return isOther;
  }
}
