// Taps that nobody meant.

import assert from "node:assert/strict";
import test from "node:test";

import { Slips } from "../../cli/page/static/slips.js";

const after = (...taps) => {
  const slips = new Slips();
  return taps.map((each) => slips.isSlip(...each)).at(-1);
};

test("a double tap does not answer what its first tap has asked", () => assert.ok(after([1000, 200, 800, "play"], [1200, 205, 803, "choice-1"])));

test("nor does a third one", () => assert.ok(after([1000, 200, 800, "play"], [1300, 200, 800, "choice-1"], [1600, 200, 800, "choice-1"])));

test("whoever has had the time to read is meant", () => assert.ok(!after([1000, 200, 800, "play"], [1500, 200, 800, "choice-1"])));

test("whoever moves to another button is meant", () => assert.ok(!after([1000, 200, 800, "menu"], [1200, 280, 800, "chat"])));

test("the same button may be tapped as quickly as one likes", () => assert.ok(!after([1000, 200, 800, "more"], [1100, 200, 800, "more"])));

test("the first tap is meant", () => assert.ok(!after([10, 0, 0, "play"])));
