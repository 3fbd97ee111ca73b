// A worker whose Python is never idle still hears everything else.

import assert from "node:assert/strict";
import test from "node:test";

import { SLICE_MS, fairChannel } from "../../cli/page/static/turns.js";

// As Chromium's: while there is a message, nothing else has its turn.
class Greedy {
  constructor() {
    this.port1 = { onmessage: null };
    this.port2 = { postMessage: () => queueMicrotask(() => this.port1.onmessage()) };
  }
}

// Turns without end, until `isEnough`; the number of them.
function busy(Channel, isEnough) {
  let turns = 0;
  const { port1, port2 } = new Channel();
  return new Promise((resolve) => {
    port1.onmessage = () => {
      turns += 1;
      if (isEnough(turns)) resolve(turns);
      else port2.postMessage(0);
    };
    port2.postMessage(0);
  });
}

test("a timer has its turn in a loop that is never idle", async () => {
  let isHeard = false;
  setTimeout(() => (isHeard = true), 1);
  const until = performance.now() + 20 * SLICE_MS;
  await busy(fairChannel(Greedy), () => isHeard || performance.now() > until);
  assert.ok(isHeard);
});

test("most turns need no timer", async () => {
  let timers = 0;
  let now = 0;
  const later = (turn) => ((timers += 1), queueMicrotask(turn));
  await busy(fairChannel(Greedy, later, () => now), (turns) => ((now = turns), turns === 10 * SLICE_MS));
  assert.ok(timers > 5 && timers < 15, `${timers} timers`);
});

test("what is asked for twice before it comes, comes once", async () => {
  let turns = 0;
  const { port1, port2 } = new (fairChannel(Greedy))();
  port1.onmessage = () => (turns += 1);
  port2.postMessage(0);
  port2.postMessage(0);
  await new Promise((resolve) => setTimeout(resolve));
  assert.equal(turns, 1);
});
